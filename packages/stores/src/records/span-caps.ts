/**
 * How many spans a project may store in a calendar day or month (UTC), and how many it has. The pipeline counts what it
 * stored and says until when the door refuses more; the door reads that with the keys. docs/operate/sampling-and-cost.md
 */
import type { Records } from './schema.ts'

export const SPAN_CAP_PERIODS = ['day', 'month'] as const
export type SpanCapPeriod = (typeof SPAN_CAP_PERIODS)[number]
export type SpanCap = { readonly count: number; readonly period: SpanCapPeriod }
/** `toMs` is exclusive. */
export type CapWindow = { readonly fromMs: number; readonly toMs: number }

const DAY_MS = 86_400_000
/** Two months: the one that runs, and the one before to compare it with. */
const REMEMBERED_DAYS = 62

export function capWindow(period: SpanCapPeriod, atMs: number): CapWindow {
  const at = new Date(atMs)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  if (period === 'month') return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
  const fromMs = Date.UTC(year, month, at.getUTCDate())
  return { fromMs, toMs: fromMs + DAY_MS }
}

export type SpanUsageDay = { readonly dayMs: number; readonly spans: number }

/** Stored spans by the day of their receipt, oldest first; days without any are missing. One range of a primary key. */
export async function spanUsage(
  records: Records,
  projectId: number,
  { fromMs, toMs }: CapWindow,
): Promise<readonly SpanUsageDay[]> {
  const rows = await records
    .selectFrom('span_usage')
    .select(['day_ms', 'spans'])
    .where('project_id', '=', projectId)
    .where('day_ms', '>=', fromMs)
    .where('day_ms', '<', toMs)
    .orderBy('day_ms')
    .execute()
  return rows.map((row) => ({ dayMs: row.day_ms, spans: row.spans }))
}

export const usedSpans = (days: readonly SpanUsageDay[]): number =>
  days.reduce((sum, day) => sum + day.spans, 0)

/** The end of the window in which the cap is reached; null: it is not. */
export async function refusedUntilMs(
  records: Records,
  projectId: number,
  cap: SpanCap,
  atMs: number,
): Promise<number | null> {
  const window = capWindow(cap.period, atMs)
  return usedSpans(await spanUsage(records, projectId, window)) >= cap.count ? window.toMs : null
}

export type StoredSpans = { readonly projectId: number; readonly receivedMs: number; readonly spans: number }

/**
 * Adds what a batch stored, and closes the door of the projects that reached their cap. Inside the transaction that
 * moves the pipeline's position, so that no span is counted twice. A project that is gone is left out.
 */
export async function addSpanUsage(tx: Records, stored: readonly StoredSpans[]): Promise<void> {
  const sums = new Map<string, { projectId: number; dayMs: number; spans: number }>()
  for (const { projectId, receivedMs, spans } of stored) {
    const { fromMs: dayMs } = capWindow('day', receivedMs)
    const key = `${projectId} ${dayMs}`
    sums.set(key, { projectId, dayMs, spans: (sums.get(key)?.spans ?? 0) + spans })
  }
  for (const { projectId, dayMs, spans } of sums.values()) {
    if (spans === 0) continue
    await addDay(tx, projectId, dayMs, spans)
    await closeDoor(tx, projectId, dayMs)
  }
}

async function addDay(tx: Records, projectId: number, dayMs: number, spans: number): Promise<void> {
  await tx
    .insertInto('span_usage')
    .columns(['project_id', 'day_ms', 'spans'])
    .expression((of) =>
      of
        .selectFrom('project')
        .select((one) => ['project.id', one.val(dayMs).as('day_ms'), one.val(spans).as('spans')])
        .where('project.id', '=', projectId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'day_ms'])
        .doUpdateSet((row) => ({ spans: row('span_usage.spans', '+', spans) })),
    )
    .execute()
  await tx
    .deleteFrom('span_usage')
    .where('project_id', '=', projectId)
    .where('day_ms', '<', dayMs - REMEMBERED_DAYS * DAY_MS)
    .execute()
}

async function closeDoor(tx: Records, projectId: number, atMs: number): Promise<void> {
  const row = await tx
    .selectFrom('project_setting')
    .select(['span_cap_count', 'span_cap_period', 'spans_refused_until_ms'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const cap = row && spanCapOf(row)
  if (!cap) return
  const untilMs = await refusedUntilMs(tx, projectId, cap, atMs)
  // What arrived before midnight may be counted after it: the later end stays.
  if (untilMs === null || untilMs <= (row.spans_refused_until_ms ?? 0)) return
  await tx
    .updateTable('project_setting')
    .set({ spans_refused_until_ms: untilMs })
    .where('project_id', '=', projectId)
    .execute()
}

type CapColumns = { readonly span_cap_count: number | null; readonly span_cap_period: string | null }

/** Undefined: no cap. */
export function spanCapOf({ span_cap_count: count, span_cap_period }: CapColumns): SpanCap | undefined {
  const period = SPAN_CAP_PERIODS.find((each) => each === span_cap_period)
  return count === null || period === undefined ? undefined : { count, period }
}
