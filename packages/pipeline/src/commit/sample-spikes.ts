/**
 * Which events of a batch are too many, because their project sends far more than it usually does.
 * docs/decisions/0043-spikes-are-sampled.md
 */
import { hash } from 'node:crypto'
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { isFound } from '../detect/thin-found.ts'
import type { ProcessedEvent } from '../process/processed.ts'

const MINUTE_MS = 60_000
// What was learnt longer ago is of another hour of the week: rather everything is stored.
const LEARNED_WITHIN_MS = 24 * 60 * MINUTE_MS
// Until a sixteenth of its limit has come, a project's minute is counted in memory alone: most never write a row.
const NOTICED_FROM = 1 / 16
const MAX_REMEMBERED = 20_000

type Counted = {
  readonly projectId: number
  readonly minuteMs: number
  /** Of the batch. */
  readonly own: number
  /** What the records said the last time, and what came since, the batch included. */
  readonly known: number
  readonly unsaved: number
}
export type CountedMinutes = ReadonlyMap<string, Counted>

export type SpikeMemory = {
  /** What each minute has with the events of a batch. Changes nothing: the batch may be tried again. */
  count(events: readonly ProcessedEvent[]): CountedMinutes
  /** Once the transaction is through. `received`: what the records say now of some of the minutes. */
  remember(counted: CountedMinutes, received: ReadonlyMap<string, number>): void
}

const memories = new WeakMap<object, SpikeMemory>()

/** One for each set of records: all partitions of a process count together. */
export function spikeMemoryOf(records: Records): SpikeMemory {
  const memory = memories.get(records) ?? createMemory()
  memories.set(records, memory)
  return memory
}

function createMemory(): SpikeMemory {
  const minutes = createBoundedMap<string, Pick<Counted, 'known' | 'unsaved'>>(MAX_REMEMBERED)
  return {
    count(events) {
      const counted = new Map<string, Counted>()
      for (const event of events) {
        if (!isSampled(event)) continue
        const { projectId } = event
        const minuteMs = minuteOf(event)
        const own = (counted.get(keyOf(event))?.own ?? 0) + 1
        counted.set(keyOf(event), { projectId, minuteMs, own, known: 0, unsaved: 0 })
      }
      for (const [key, each] of counted) {
        const { known, unsaved } = minutes.get(key) ?? NOTHING
        counted.set(key, { ...each, known, unsaved: unsaved + each.own })
      }
      return counted
    },
    remember(counted, received) {
      for (const [key, { own, unsaved: saved }] of counted) {
        const { known, unsaved } = minutes.get(key) ?? NOTHING
        const total = received.get(key)
        // Another partition's batch may have been counted meanwhile.
        if (total === undefined) minutes.set(key, { known, unsaved: unsaved + own })
        else minutes.set(key, { known: total, unsaved: Math.max(0, unsaved + own - saved) })
      }
    },
  }
}
const NOTHING = { known: 0, unsaved: 0 }

/** Feedback is a person's own words, and never comes by the thousand; what detectors found, nobody sent. */
export const isSampled = (event: ProcessedEvent): boolean =>
  event.issue.type !== 'feedback' && !isFound(event)
const minuteOf = ({ receivedMs }: ProcessedEvent): number => Math.floor(receivedMs / MINUTE_MS) * MINUTE_MS
const keyOf = (event: ProcessedEvent): string => `${event.projectId}:${minuteOf(event)}`

export type SpikeSampling = {
  /** To be asked once for each event, in their order. */
  isTooMany(event: ProcessedEvent): boolean
  /** What the records know now of the minutes, by key. */
  readonly received: ReadonlyMap<string, number>
}

/** In the transaction that marks the batch. */
export async function openSpikeSampling(
  tx: Records,
  counted: CountedMinutes,
  nowMs: number,
): Promise<SpikeSampling> {
  const received = new Map<string, number>()
  const minutes = new Map<string, { at: number; readonly limit: number }>()
  const projectIds = new Set([...counted.values()].map(({ projectId }) => projectId))
  const limits = await readLimits(tx, projectIds, nowMs)
  for (const [key, minute] of counted) {
    const limit = limits.get(minute.projectId)
    if (limit === undefined || minute.known + minute.unsaved < limit * NOTICED_FROM) continue
    const total = await addReceived(tx, minute)
    received.set(key, total)
    minutes.set(key, { at: total - minute.own, limit })
  }
  return {
    isTooMany(event) {
      const minute = isSampled(event) ? minutes.get(keyOf(event)) : undefined
      if (!minute) return false
      minute.at++
      return minute.at > minute.limit && lotOf(event.eventId) >= keptShare(minute.at / minute.limit)
    },
    received,
  }
}

/** By project; those whose rate was learnt, that have no rate limit of their own, and that did not switch it off. */
async function readLimits(
  tx: Records,
  projectIds: ReadonlySet<number>,
  nowMs: number,
): Promise<ReadonlyMap<number, number>> {
  if (projectIds.size === 0) return new Map()
  const rows = await tx
    .selectFrom('spike_baseline as baseline')
    .leftJoin('project_setting as setting', 'setting.project_id', 'baseline.project_id')
    .select(['baseline.project_id', 'baseline.minute_limit'])
    .where('baseline.project_id', 'in', [...projectIds])
    .where('baseline.category', '=', 'event')
    .where('baseline.learned_ms', '>', nowMs - LEARNED_WITHIN_MS)
    .where('setting.rate_limit_count', 'is', null)
    .where((eb) =>
      eb.or([eb('setting.is_spike_protected', 'is', null), eb('setting.is_spike_protected', '=', 1)]),
    )
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.minute_limit]))
}

async function addReceived(tx: Records, { projectId, minuteMs, unsaved }: Counted): Promise<number> {
  const { received } = await tx
    .insertInto('spike_minute')
    .values({ project_id: projectId, category: 'event', minute_ms: minuteMs, received: unsaved })
    .onConflict((on) =>
      on
        .columns(['project_id', 'category', 'minute_ms'])
        .doUpdateSet((eb) => ({ received: eb('spike_minute.received', '+', unsaved) })),
    )
    .returning('received')
    .executeTakeFirstOrThrow()
  return received
}

/** Of the events above the limit: 1 in 10, above ten times the limit 1 in 100, and so on. */
export function keptShare(timesLimit: number): number {
  return 10 ** -Math.max(1, Math.ceil(Math.log10(timesLimit)))
}

/** 48 bits that belong to the id. Not the id's own digits: some begin with the time. */
export const numberOf = (eventId: string): number =>
  Number.parseInt(hash('sha256', `sonde-spike-1:${eventId}`, 'hex').slice(0, 12), 16)

/**
 * What is remembered of an event that was counted and not stored (`COUNTED_IDS`): 44 bits. A new event has those of one of a
 * million in one of 17 million cases, and is taken for that one, sent again.
 */
export const countedId = (eventId: string): number => Math.floor(numberOf(eventId) / 16)

/** At least 0, less than 1. */
export const lotOf = (eventId: string): number => numberOf(eventId) / 2 ** 48
