/** How much of its caps a project uses, and what sampling left out. */
import type { Grant } from '@sonde/access'
import { type CapWindow, capWindow, type SpanCap, spanCapOf, spanUsage, usedSpans } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000
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
