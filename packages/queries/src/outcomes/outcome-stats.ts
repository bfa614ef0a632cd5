/** What became of what was received, in groups and over time, for the statistics of the public API. */
import type { AnyGrant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'

const COLUMNS = {
  outcome: 'outcome',
  category: 'category',
  reason: 'reason',
  project: 'project_id',
} as const
export type OutcomeGroup = keyof typeof COLUMNS
export const OUTCOME_GROUPS = Object.keys(COLUMNS) as readonly OutcomeGroup[]

export type OutcomeStatsInput = {
  /** Unix milliseconds; widened to whole steps. */
  readonly fromMs: number
  readonly toMs: number
  /** At least a minute: outcomes are counted by the minute. */
  readonly stepMs: number
  readonly groupBy: readonly OutcomeGroup[]
  /** Only these; empty: any. */
  readonly projectIds?: readonly number[]
  readonly categories?: readonly string[]
  readonly outcomes?: readonly string[]
  readonly reasons?: readonly string[]
  readonly keyId?: number
}

export type OutcomeStatsGroup = {
  readonly by: Readonly<Partial<Record<OutcomeGroup, string | number>>>
  readonly total: number
  /** One for each of `startsMs`. */
  readonly counts: readonly number[]
}

export type OutcomeStats = {
  readonly fromMs: number
  readonly toMs: number
  readonly startsMs: readonly number[]
  /** The most first. One with nothing in it where no group was asked for and nothing came. */
  readonly groups: readonly OutcomeStatsGroup[]
}

/** Ninety days by the hour. */
const MAX_STEPS = 2_200
// Reasons of SDKs are words of strangers: those that count most are told.
const MAX_GROUPS = 200
const MINUTE_MS = 60_000

/**
 * Reads `outcomes` by project and minute: one small row for each minute, key and kind. Throws `SondeError` (`invalid`) for more
 * steps than `MAX_STEPS`, or shorter ones than are stored.
 */
export async function outcomeStats(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: AnyGrant,
  input: OutcomeStatsInput,
): Promise<OutcomeStats> {
  const { stepMs, groupBy } = input
  const fromMs = Math.floor(input.fromMs / stepMs) * stepMs
  const steps = Math.ceil((input.toMs - fromMs) / stepMs)
  if (!(stepMs >= MINUTE_MS) || !(steps >= 1) || steps > MAX_STEPS)
    throw new SondeError(
      'invalid',
      `interval is of a minute or more, and a window has ${MAX_STEPS} at most`,
      {
        operation: 'read outcomes',
        subject: 'interval',
      },
    )
  const visible = await projectIdsOf(deps, grant)
  const wanted = input.projectIds ?? []
  const projects = wanted.length === 0 ? visible : visible.filter((id) => wanted.includes(id))
  const window = { fromMs, toMs: fromMs + steps * stepMs }
  const startsMs = Array.from({ length: steps }, (_, at) => fromMs + at * stepMs)
  const rows = projects.length === 0 ? [] : await countsOf(deps, projects, input, window)
  const groups = new Map<string, { by: OutcomeStatsGroup['by']; total: number; counts: number[] }>()
  if (groupBy.length === 0) groups.set('[]', { by: {}, total: 0, counts: startsMs.map(() => 0) })
  for (const row of rows) {
    const by = Object.fromEntries(groupBy.map((name) => [name, row[name] ?? '']))
    const key = JSON.stringify(Object.values(by))
    const group = groups.get(key) ?? { by, total: 0, counts: startsMs.map(() => 0) }
    group.counts[row.bucket] = row.quantity
    group.total += row.quantity
    groups.set(key, group)
  }
  const inOrder = [...groups].toSorted(([a, one], [b, other]) => other.total - one.total || (a < b ? -1 : 1))
  return { ...window, startsMs, groups: inOrder.map(([, group]) => group) }
}

type Row = { readonly [name in OutcomeGroup]?: string | number } & {
  readonly bucket: number
  readonly quantity: number
}

async function countsOf(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  projects: readonly number[],
  { groupBy, categories = [], outcomes = [], reasons = [], keyId, stepMs }: OutcomeStatsInput,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly Row[]> {
  const columns = groupBy.map((name) => COLUMNS[name])
  const named = groupBy.map((name) => `${COLUMNS[name]} AS ${name},`).join(' ')
  const where = [
    'project_id IN {projects:Array(UInt32)} AND minute >= {from:DateTime} AND minute < {to:DateTime}',
    ...(categories.length > 0 ? ['category IN {categories:Array(String)}'] : []),
    ...(outcomes.length > 0 ? ['outcome IN {outcomes:Array(String)}'] : []),
    ...(reasons.length > 0 ? ['reason IN {reasons:Array(String)}'] : []),
    ...(keyId === undefined ? [] : ['key_id = {key:UInt32}']),
  ].join(' AND ')
  const largest =
    columns.length === 0
      ? ''
      : `AND (${columns.join(', ')}) IN (SELECT ${columns.join(', ')} FROM outcomes WHERE ${where}
         GROUP BY ${columns.join(', ')} ORDER BY sum(quantity) DESC, ${columns.join(', ')} LIMIT ${MAX_GROUPS})`
  return telemetry.query<Row>(
    `SELECT ${named} intDiv(toUnixTimestamp(minute) - {from:Int64}, {step:Int64}) AS bucket, sum(quantity) AS quantity
     FROM outcomes WHERE ${where} ${largest}
     GROUP BY ${[...columns, 'bucket'].join(', ')}`,
    {
      projects,
      from: Math.trunc(fromMs / 1000),
      to: new Date(toMs),
      step: stepMs / 1000,
      categories,
      outcomes,
      reasons,
      key: keyId ?? 0,
    },
  )
}
