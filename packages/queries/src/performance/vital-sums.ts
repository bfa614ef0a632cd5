/**
 * Sums of vitals over a window: weeks that are over from what was summed up ahead (projection `by_week` of `vitals`),
 * the rest from the rows themselves.
 */
import type { Grant } from '@sonde/access'
import { VITAL_SUMS } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { dayText, FILTER_COLUMNS, type PerformanceFilter } from './performance-filter.ts'
import { type SummaryRow, VITAL_ROWS, vitalConditions, type VitalInput } from './vital-conditions.ts'

export type VitalSumsInput = PerformanceFilter & Partial<Pick<VitalInput, 'name' | 'route'>>
/** `firstMs`: Unix milliseconds of the earliest visit. */
export type VitalSumsRow = SummaryRow & { readonly firstMs: number }
type Key = 'name' | 'route'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** One row for each combination of the keys; those of most visits first, at most `rows`. */
export async function vitalSums<Keys extends Key>(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalSumsInput,
  { keys, rows }: { readonly keys: readonly Keys[]; readonly rows: number },
): Promise<readonly (VitalSumsRow & { readonly [Name in Keys]: string })[]> {
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return []
  const weeks = await wholeWeeks(deps, input)
  const by = keys.join(', ')
  const each = (from: string, condition: string): string =>
    `SELECT ${by}, ${SUMS} FROM ${from} WHERE ${condition} GROUP BY ${by}`
  const parts =
    weeks === undefined
      ? [each(VITAL_ROWS, where.sql)]
      : [
          each('vitals', summedCondition(input)),
          each(VITAL_ROWS, `${where.sql} AND _partition_value.1 >= {openFrom:Date}`),
          // Of the weeks that are over: what lies before the first whole one, and behind the last. Each is one part,
          // in which nothing is there twice; and with FINAL the index on times would leave nothing out.
          each(
            'vitals',
            `${where.sql} AND _partition_value.1 < {openFrom:Date}
             AND (timestamp < {weeksFrom:DateTime64(3)} OR timestamp >= {weeksTo:DateTime64(3)})`,
          ),
        ]
  return deps.telemetry.query(
    `SELECT ${by}, quantileBFloat16WeightedMerge(0.75)(levels) AS p75, sum(sampled) AS samples, sum(visits) AS count,
       toUnixTimestamp64Milli(min(first)) AS firstMs, sum(goodVisits) AS good, sum(poorVisits) AS poor
     FROM (${parts.join(' UNION ALL ')})
     GROUP BY ${by} ORDER BY count DESC, ${by} LIMIT {rows:UInt32}`,
    { ...where.params, ...weeks, rows },
  )
}

/** What the projection holds, with the names of this query. */
const SUMS = Object.entries(VITAL_SUMS)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ')

/** What `by_week` can be narrowed to; the parameters are those of the other parts. */
function summedCondition({ environment = [], name, route }: VitalSumsInput): string {
  return [
    'project_id IN {projects:Array(UInt32)}',
    'toMonday(received) < {openFrom:Date}',
    'toMonday(timestamp) >= {weeksFromDay:Date}',
    'toMonday(timestamp) < {weeksToDay:Date}',
    ...(environment.length === 0 ? [] : ['environment IN {environment:Array(String)}']),
    ...(name === undefined ? [] : ['name = {name:String}']),
    ...(route === undefined ? [] : ['route = {route:String}']),
  ].join(' AND ')
}

type WholeWeeks = {
  /** Monday of the first week of receipt that is not over, or not yet one part. */
  readonly openFrom: string
  /** The whole weeks of the window, `weeksTo` exclusive; as instants and as days. */
  readonly weeksFrom: number
  readonly weeksTo: number
  readonly weeksFromDay: string
  readonly weeksToDay: string
}

/** Undefined when nothing of the window can be taken from what was summed up. */
async function wholeWeeks(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  input: VitalSumsInput,
): Promise<WholeWeeks | undefined> {
  const weeksFrom = FIRST_MONDAY_MS + Math.ceil((input.fromMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
  const weeksTo = FIRST_MONDAY_MS + Math.floor((input.toMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
  const isNarrowed = FILTER_COLUMNS.some((column) => column !== 'environment' && input[column]?.length)
  if (weeksFrom >= weeksTo || isNarrowed) return undefined
  // In a week of several parts a value and what replaced it may lie side by side, each summed up.
  const [found] = await telemetry.query<{ readonly open: string; readonly last: string }>(
    `SELECT minIf(partition, parts > 1 OR level = 0) AS open, max(partition) AS last
     FROM (
       SELECT partition, count() AS parts, min(level) AS level FROM system.parts
       WHERE active AND database = currentDatabase() AND table = 'vitals' GROUP BY partition
     )`,
  )
  if (!found || found.last === '') return undefined
  const openFrom = found.open === '' ? dayText(Date.parse(found.last) + WEEK_MS) : found.open
  if (Date.parse(openFrom) <= weeksFrom) return undefined
  return { openFrom, weeksFrom, weeksTo, weeksFromDay: dayText(weeksFrom), weeksToDay: dayText(weeksTo) }
}
