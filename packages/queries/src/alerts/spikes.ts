/** Spikes of a project: the one that lasts, and those of before. */
import type { Grant } from '@sonde/access'
import type { SpikeCategory } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type Spike = {
  readonly id: number
  readonly category: SpikeCategory
  readonly startedMs: number
  /** Undefined: it lasts. */
  readonly endedMs: number | undefined
  readonly usualPerHour: number
  /** Above so many within a minute events were sampled. */
  readonly minuteLimit: number
  readonly peakPerMinute: number
  readonly kept: number
  readonly sampled: number
  /** Its busiest minute against a usual one; undefined: usually nothing comes. */
  readonly timesUsual: number | undefined
  /** While it lasted, 1 in so many was stored. */
  readonly storedOneIn: number
}

export type SpikeState = {
  /** `learning`: the project is too young; `limited`: its own rate limit holds; `off`: somebody switched it off. */
  readonly state: 'on' | 'learning' | 'limited' | 'off'
  /** Of this hour of the week; undefined unless `on`. */
  readonly baseline: { readonly usualPerHour: number; readonly minuteLimit: number } | undefined
  /** The one that lasts first, then the newest. */
  readonly spikes: readonly Spike[]
}

type ReadGrant = Grant<'event:read' | 'project:read', 'project'>
const SHOWN = 20

/** What the settings show. */
export async function projectSpikes(
  deps: Pick<QueryDeps, 'records'>,
  grant: Pick<ReadGrant, 'projectId'>,
): Promise<SpikeState> {
  const { records } = deps
  const rows = await records
    .selectFrom('spike')
    .selectAll()
    .where('project_id', '=', grant.projectId)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  const setting = await records
    .selectFrom('project_setting')
    .select(['rate_limit_count', 'is_spike_protected'])
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  const learned = await records
    .selectFrom('spike_baseline')
    .select(['usual_per_hour', 'minute_limit'])
    .where('project_id', '=', grant.projectId)
    .where('category', '=', 'event')
    .executeTakeFirst()
  const state =
    setting?.is_spike_protected === 0
      ? 'off'
      : setting && setting.rate_limit_count !== null
        ? 'limited'
        : learned
          ? 'on'
          : 'learning'
  return {
    state,
    baseline:
      state === 'on' && learned
        ? { usualPerHour: learned.usual_per_hour, minuteLimit: learned.minute_limit }
        : undefined,
    spikes: rows.map(spikeOf),
  }
}

/** Undefined: none lasts. One look at a small index. */
export async function openSpike(
  { records }: Pick<QueryDeps, 'records'>,
  { projectId }: Pick<ReadGrant, 'projectId'>,
): Promise<Spike | undefined> {
  const row = await records
    .selectFrom('spike')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('ended_ms', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row && spikeOf(row)
}

type SpikeRow = {
  readonly id: number
  readonly category: SpikeCategory
  readonly started_ms: number
  readonly ended_ms: number | null
  readonly usual_per_hour: number
  readonly minute_limit: number
  readonly peak_per_minute: number
  readonly kept: number
  readonly sampled: number
}

export function spikeOf(row: SpikeRow): Spike {
  const usualPerMinute = row.usual_per_hour / 60
  return {
    id: row.id,
    category: row.category,
    startedMs: row.started_ms,
    endedMs: row.ended_ms ?? undefined,
    usualPerHour: row.usual_per_hour,
    minuteLimit: row.minute_limit,
    peakPerMinute: row.peak_per_minute,
    kept: row.kept,
    sampled: row.sampled,
    timesUsual:
      row.usual_per_hour === 0 ? undefined : Math.max(1, Math.round(row.peak_per_minute / usualPerMinute)),
    storedOneIn: Math.max(1, Math.round((row.kept + row.sampled) / Math.max(1, row.kept))),
  }
}
