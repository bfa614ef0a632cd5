/**
 * Learns what each project usually sends at this time of the week, once an hour; above a multiple of it the pipeline samples.
 * docs/decisions/0043-spikes-are-sampled.md
 */
import type { Clock } from '@sonde/base'
import { type UsualHours, usualHours } from '@sonde/queries'
import { type Records, type Telemetry, writeTransaction } from '@sonde/stores'

export type LearnDeps = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly clock: Clock
  /** However little a project usually sends, so many events within a minute are stored whole. Undefined: nothing is sampled. */
  readonly spikeFloor: number | undefined
}

const DAY_MS = 86_400_000
/** In its first days a project is what its people make it: only the limits at the door hold. */
const YOUNG_MS = 7 * DAY_MS
const PROJECTS_AT_ONCE = 500
/** A minute is a spike from so many times a usual minute on, and so many times the busiest minute of a usual hour. */
const TIMES_USUAL = 5
const TIMES_BUSIEST = 2
/** Fewer hours than these have no middle. */
const ENOUGH_HOURS = 6
/** Counts of minutes are of use until the pipeline has caught up. */
const MINUTES_KEPT_MS = DAY_MS

export async function learnRates(deps: LearnDeps, signal?: AbortSignal): Promise<void> {
  const { records, clock, spikeFloor } = deps
  const nowMs = clock.nowMs()
  await records
    .deleteFrom('spike_minute')
    .where('minute_ms', '<', nowMs - MINUTES_KEPT_MS)
    .execute()
  if (spikeFloor === undefined) {
    await records.deleteFrom('spike_baseline').execute()
    return
  }
  for (let afterId = 0; ;) {
    if (signal?.aborted) return
    const projects = await records
      .selectFrom('project')
      .select(['id', 'first_event_ms'])
      .where('id', '>', afterId)
      .where('first_event_ms', '<=', nowMs - YOUNG_MS)
      .orderBy('id')
      .limit(PROJECTS_AT_ONCE)
      .execute()
    const last = projects.at(-1)
    if (!last) return
    afterId = last.id
    await learn(
      deps,
      projects.map((row) => ({ id: row.id, firstEventMs: row.first_event_ms ?? nowMs })),
      nowMs,
      spikeFloor,
    )
  }
}

async function learn(
  { records, telemetry }: LearnDeps,
  projects: readonly { readonly id: number; readonly firstEventMs: number }[],
  nowMs: number,
  floor: number,
): Promise<void> {
  const usual = await usualHours({ telemetry }, projects, nowMs)
  await writeTransaction(records, async (tx) => {
    const rows = await tx
      .selectFrom('project')
      .select('id')
      .where(
        'id',
        'in',
        projects.map(({ id }) => id),
      )
      .execute()
    // Those that were deleted meanwhile are missing.
    for (const { id } of rows) {
      const hours = usual.get(id)
      if (!hours) continue
      const { usualPerHour, minuteLimit } = baselineOf(hours, floor)
      const learned = { usual_per_hour: usualPerHour, minute_limit: minuteLimit, learned_ms: nowMs }
      await tx
        .insertInto('spike_baseline')
        .values({ project_id: id, category: 'event', ...learned })
        .onConflict((on) => on.columns(['project_id', 'category']).doUpdateSet(learned))
        .execute()
    }
  })
}

export type Baseline = { readonly usualPerHour: number; readonly minuteLimit: number }

/**
 * The median hour, which one spike of the past does not move; of few hours the highest. What has come for a whole day is usual
 * too: a site that grew is not sampled for weeks.
 */
export function baselineOf({ ofWeek, ofDay }: UsualHours, floor: number): Baseline {
  const middle = ofWeek.length < ENOUGH_HOURS ? highest : median
  const today = ofDay.reduce((sum, { events }) => sum + events, 0) / Math.max(1, ofDay.length)
  const usualPerHour = Math.ceil(Math.max(middle(ofWeek.map(({ events }) => events)), today))
  const busiest = middle(ofWeek.map((hour) => hour.busiest))
  return {
    usualPerHour,
    minuteLimit: Math.ceil(Math.max(floor, (TIMES_USUAL * usualPerHour) / 60, TIMES_BUSIEST * busiest)),
  }
}

const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}
