/** What sampling rules would do to the spans that arrived lately, before anybody saves them. */
import type { Grant } from '@sonde/access'
import {
  type CapWindow,
  capWindow,
  type SamplingRule,
  SERVER_RATE_ATTRIBUTE,
  type SpanCap,
  spanCapOf,
  spanUsage,
  usedSpans,
} from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

/** How much of its caps a project uses, and what sampling left out. */
const SHOWN_DAYS = 30

export type SpanUsage = {
  readonly cap: SpanCap | undefined
  readonly perMinute: number | undefined
  /** The window of the cap; without one, the month. */
  readonly window: CapWindow
  /** Spans stored in it. */
  readonly used: number
  /** How many it will be when the window ends, at the pace so far. Undefined: too early to say. */
  readonly expected: number | undefined
  /** The cap is reached: until then the door refuses spans. */
  readonly refusedUntilMs: number | undefined
  /** Stored per day (UTC), oldest first, the last one of today. */
  readonly daily: readonly number[]
}

/** Two ranges of primary keys in the records. */
export async function projectSpanUsage(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
): Promise<SpanUsage> {
  const nowMs = clock.nowMs()
  const row = await records
    .selectFrom('project_setting')
    .select(['span_cap_count', 'span_cap_period', 'span_minute_cap', 'spans_refused_until_ms'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const cap = row && spanCapOf(row)
  const window = capWindow(cap?.period ?? 'month', nowMs)
  const { fromMs: todayMs, toMs } = capWindow('day', nowMs)
  const firstMs = todayMs - (SHOWN_DAYS - 1) * DAY_MS
  const days = await spanUsage(records, projectId, { fromMs: Math.min(firstMs, window.fromMs), toMs })
  const used = usedSpans(days.filter(({ dayMs }) => dayMs >= window.fromMs))
  const untilMs = row?.spans_refused_until_ms ?? 0
  return {
    cap,
    perMinute: row?.span_minute_cap ?? undefined,
    window,
    used,
    expected: expectedIn(window, used, nowMs),
    refusedUntilMs: untilMs > nowMs ? untilMs : undefined,
    daily: Array.from(
      { length: SHOWN_DAYS },
      (_, at) => days.find(({ dayMs }) => dayMs === firstMs + at * DAY_MS)?.spans ?? 0,
    ),
  }
}

/** A twentieth of the window has to be over: an hour of a day, a day and a half of a month. */
const EARLY = 0.05

function expectedIn({ fromMs, toMs }: CapWindow, used: number, nowMs: number): number | undefined {
  const over = (nowMs - fromMs) / (toMs - fromMs)
  return over < EARLY ? undefined : Math.round(used / over)
}

/** Spans that sampling left out within the last 24 hours, by the rule's name (`samplingRuleName`). */
export async function sampledByRule(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await telemetry.query<{ name: string; quantity: number }>(
    `SELECT substring(reason, length({prefix:String}) + 1) AS name, sum(quantity) AS quantity FROM outcomes
     WHERE project_id = {project:UInt32} AND minute >= {since:DateTime} AND category = 'span'
       AND outcome = 'filtered' AND startsWith(reason, {prefix:String})
     GROUP BY name`,
    { project: projectId, since: new Date(clock.nowMs() - DAY_MS), prefix: 'sampled:' },
  )
  return new Map(rows.map(({ name, quantity }) => [name, quantity]))
}

export type SamplingPreview = {
  /** Spans that arrived, counted up where a rule of then had left some out; without what a rule dropped wholly. */
  readonly arrived: number
  /** How many of them would be stored, on average. */
  readonly kept: number
  /** Of each rule, in order: how many arrived that it would decide about. */
  readonly matched: readonly number[]
}

const DAY_MS = 86_400_000

/**
 * The last 24 hours. Groups roots by route, op, release and environment, so memory grows with those alone; children go
 * with the roots of their route, in proportion, and what has no root there is known by its route only. Reads routes and
 * times of all spans of the project in that time, and more of the roots alone: 0.1 s of CPU for a million spans.
 */
export async function samplingPreview(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  rules: readonly SamplingRule[],
): Promise<SamplingPreview> {
  const { sql, params } = ruleOf(rules)
  const window = `project_id = {project:UInt32} AND received >= {since:DateTime64(3)}`
  const rows = await telemetry.query<{ rule: number; spans: number }>(
    `SELECT ${sql} AS rule, sum(spans) AS spans FROM (
       SELECT segment_name, op, release, environment, if(rootCount = 0, n, n * weight / rootCount) AS spans
       FROM (
         SELECT segment_name, toFloat64(count()) AS n, countIf(is_segment = 1) AS rootCount
         FROM spans WHERE ${window} GROUP BY segment_name
       ) AS stored
       LEFT JOIN (
         SELECT segment_name, op, release, environment, sum(1 / if(${SERVER_RATE} > 0, ${SERVER_RATE}, 1)) AS weight
         FROM spans WHERE ${window} AND is_segment = 1 GROUP BY segment_name, op, release, environment
       ) AS roots USING (segment_name)
     ) GROUP BY rule`,
    { ...params, project: grant.projectId, since: clock.nowMs() - DAY_MS },
  )
  const matched = rules.map((_, index) => rows.find(({ rule }) => rule === index + 1)?.spans ?? 0)
  const arrived = rows.reduce((sum, { spans }) => sum + spans, 0)
  const left = rules.reduce((sum, { rate }, index) => sum + (matched[index] ?? 0) * (1 - rate), 0)
  return { arrived: Math.round(arrived), kept: Math.round(arrived - left), matched: matched.map(Math.round) }
}

const SERVER_RATE = `numbers['${SERVER_RATE_ATTRIBUTE}']`

const COLUMNS = { route: 'segment_name', op: 'op', release: 'release', environment: 'environment' } as const
type Field = keyof typeof COLUMNS

/** Number of the first rule that matches, from 1; 0: none. */
function ruleOf(rules: readonly SamplingRule[]) {
  const params: Record<string, string> = {}
  const branches = rules.map((rule, index) => {
    const conditions = (Object.keys(COLUMNS) as Field[]).flatMap((field) => {
      if (rule[field] === '') return []
      const name = `${field}${index}`
      params[name] = likePattern(rule[field])
      return [`${COLUMNS[field]} ILIKE {${name}:String}`]
    })
    return `${conditions.length === 0 ? '1' : conditions.join(' AND ')}, ${index + 1}`
  })
  return { sql: branches.length === 0 ? '0' : `multiIf(${branches.join(', ')}, 0)`, params }
}

/** `*` any text, `?` one character; what `LIKE` takes for a sign is none. */
const likePattern = (glob: string): string =>
  glob
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_')
