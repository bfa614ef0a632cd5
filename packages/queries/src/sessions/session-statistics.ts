/**
 * Sessions in the words of Sentry's API: fields, groups and steps.
 * https://docs.sentry.io/api/releases/retrieve-release-health-session-statistics/
 */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { QueryDeps } from '../query-deps.ts'
import { parseSearch } from '../search/parse-search.ts'
import { exactText, isPattern, SearchError } from '../search/search-term.ts'
import {
  SESSION_GROUPS,
  type SessionGroup,
  sessionGroups,
  type SessionKinds,
  type SessionRow,
} from './session-groups.ts'

const FIELDS = [
  'sum(session)',
  'count_unique(user)',
  'crash_rate(session)',
  'crash_rate(user)',
  'crash_free_rate(session)',
  'crash_free_rate(user)',
] as const
type Field = (typeof FIELDS)[number]

const STATUS = 'session.status'
const GROUPS = [...SESSION_GROUPS, STATUS] as const
type Group = (typeof GROUPS)[number]
/** Disjoint, of the sessions that they count. */
const STATUSES = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const

const KINDS = ['all', ...STATUSES] as const

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Groups times steps, as upstream bounds it. */
const MAX_POINTS = 10_000

export type SessionStatisticsInput = {
  readonly fromMs: number
  readonly toMs: number
  /** It has to divide a day; a shorter time than one step is made as long. Default: an hour. */
  readonly intervalMs?: number | undefined
  readonly fields: readonly string[]
  readonly groupBy: readonly string[]
  readonly environment: readonly string[]
  readonly projectIds: readonly number[]
  /** `release:`, `environment:`: a value or a list. */
  readonly query: string
}
export type SessionValues = { readonly [Name in Field]?: number | null }
export type SessionStatistics = {
  /** Widened to whole steps. */
  readonly fromMs: number
  readonly toMs: number
  readonly startsMs: readonly number[]
  readonly groups: readonly {
    readonly by: { readonly [Name in Group]?: string | number }
    readonly totals: SessionValues
    readonly series: { readonly [Name in Field]?: readonly (number | null)[] }
  }[]
}

/** Throws `SondeError` (`invalid`) and `SearchError`. Two reads: users of steps do not add up to those of the whole time. */
export async function sessionStatistics(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: SessionStatisticsInput,
): Promise<SessionStatistics> {
  const fields = namedOf(FIELDS, 'field', input.fields)
  if (fields.length === 0) throw invalid(`field is one of ${FIELDS.join(', ')}`)
  const groupBy = namedOf(GROUPS, 'groupBy', input.groupBy)
  const by = groupBy.filter((group): group is SessionGroup => group !== STATUS)
  const { intervalMs: stepMs = HOUR_MS } = input
  if (stepMs < MINUTE_MS || DAY_MS % stepMs !== 0)
    throw invalid('interval has to divide one day: 5m, 1h, 6h, 1d')
  const fromMs = Math.floor(input.fromMs / stepMs) * stepMs
  const toMs = Math.max(fromMs + stepMs, Math.ceil(input.toMs / stepMs) * stepMs)
  const steps = (toMs - fromMs) / stepMs
  if (steps > MAX_POINTS) throw invalid('choose a longer interval, or a shorter time')
  const groups = Math.floor(MAX_POINTS / (steps + 1)) || 1
  const search = conditionsOf(input.query)
  const filter = {
    // Of one status each, or the rates of all.
    users: fields.some((field) => field.includes('user')) ? KINDS : [],
    fromMs,
    toMs,
    by,
    projectIds: input.projectIds,
    environment: [...input.environment, ...search.environment],
    release: search.release,
  }
  if (input.environment.length > 0 && search.environment.length > 0)
    filter.environment = input.environment.filter((name) => search.environment.includes(name))
  const isNothing = filter.environment.length === 0 && input.environment.length > 0
  const [totals, series] = isNothing
    ? [[], []]
    : await Promise.all([
        sessionGroups(deps, grant, { ...filter, limit: groups }),
        sessionGroups(deps, grant, { ...filter, stepMs, limit: MAX_POINTS }),
      ])
  const stepsOf = Map.groupBy(series, keyOf)
  // Without groups there is one, also of nothing.
  const rows = totals.length === 0 && by.length === 0 ? [NOTHING] : totals
  return {
    fromMs,
    toMs,
    startsMs: Array.from({ length: steps }, (_, at) => fromMs + at * stepMs),
    groups: rows.flatMap((row) => {
      const byStep = new Map(stepsOf.get(keyOf(row))?.map((each) => [each.step, each]))
      return (groupBy.includes(STATUS) ? STATUSES : [undefined]).map((status) => ({
        by: {
          ...Object.fromEntries(by.map((group) => [group, group === 'project' ? row.projectId : row[group]])),
          ...(status && { [STATUS]: status }),
        },
        totals: Object.fromEntries(fields.map((field) => [field, valueOf(field, row, status)])),
        series: Object.fromEntries(
          fields.map((field) => [
            field,
            Array.from({ length: steps }, (_, at) => valueOf(field, byStep.get(at) ?? NOTHING, status)),
          ]),
        ),
      }))
    }),
  }
}

const NONE: SessionKinds = { all: 0, healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
const NOTHING: SessionRow = {
  release: '',
  environment: '',
  projectId: 0,
  step: 0,
  sessions: NONE,
  users: NONE,
}

const keyOf = ({ release, environment, projectId }: SessionRow): string =>
  JSON.stringify([release, environment, projectId])

/** Null: of nothing there is no rate, and none of one status. */
function valueOf(
  field: Field,
  row: SessionRow,
  status: (typeof STATUSES)[number] | undefined,
): number | null {
  const of = field.includes('user') ? row.users : row.sessions
  if (field === 'sum(session)' || field === 'count_unique(user)') return of[status ?? 'all']
  if (status !== undefined || of.all === 0) return null
  return (field.startsWith('crash_rate') ? of.crashed : of.all - of.crashed) / of.all
}

function namedOf<const Name extends string>(
  known: readonly Name[],
  what: string,
  given: readonly string[],
): readonly Name[] {
  const names = given.map((text) => {
    const name = known.find((each) => each === text)
    if (name === undefined)
      throw invalid(`${what} "${text.slice(0, 100)}" is not known: use ${known.join(', ')}`)
    return name
  })
  return [...new Set(names)]
}

/** Values alone: there is nothing else that sessions are searched by. */
function conditionsOf(query: string): { readonly release: string[]; readonly environment: string[] } {
  const found: { release: string[]; environment: string[] } = { release: [], environment: [] }
  for (const term of parseSearch(query)) {
    const name = term.kind === 'filter' && !term.negated && !term.key.isTag ? term.key.name : ''
    if (
      term.kind !== 'filter' ||
      (name !== 'release' && name !== 'environment') ||
      term.values.some(isPattern)
    )
      throw new SearchError('sessions are narrowed by release:VALUE and environment:VALUE', term.at)
    if (found[name].length > 0) throw new SearchError(`${name} is named twice: write ${name}:[a, b]`, term.at)
    found[name].push(...term.values.map(exactText))
  }
  return found
}

const invalid = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'count sessions', subject: 'the parameters' })

/** Which releases had a session, of those that are named: `PROJECT RELEASE`. Reads one narrow column. */
export async function releasesWithSessions(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  asked: readonly { readonly projectId: number; readonly release: string }[],
): Promise<(projectId: number, release: string) => boolean> {
  if (asked.length === 0) return () => false
  const rows = await telemetry.query<{ project_id: number; release: string }>(
    `SELECT project_id, release FROM sessions
     WHERE project_id IN {projects:Array(UInt32)} AND release IN {releases:Array(String)}
     GROUP BY project_id, release`,
    {
      projects: [...new Set(asked.map(({ projectId }) => projectId))],
      releases: [...new Set(asked.map(({ release }) => release))],
    },
  )
  const known = new Set(rows.map(({ project_id, release }) => `${project_id} ${release}`))
  return (projectId, release) => known.has(`${projectId} ${release}`)
}
