/**
 * Which events of a batch are too many of their issue: the first of a day are stored whole, of what comes after them a sample.
 * docs/decisions/0075-noise-and-thinned-issues.md
 */
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import { isSampled, lotOf } from './sample-spikes.ts'

const DAY_MS = 86_400_000
// Until a sixteenth has come, an issue's day is counted in memory alone: most never write a row.
const NOTICED_FROM = 1 / 16
const MAX_REMEMBERED = 20_000

/** What the records said the last time, and what came since. */
type Remembered = { readonly known: number; readonly unsaved: number }
const NOTHING: Remembered = { known: 0, unsaved: 0 }

export type ThinMemory = {
  of(key: string): Remembered
  /** Once the transaction is through. */
  remember(counted: ReadonlyMap<string, DayCount>): void
}
export type DayCount = {
  readonly issueId: number
  readonly dayMs: number
  /** Of the batch. */
  own: number
  /** The least that an event of it allows: its class of noise may allow fewer than the project. */
  fullPerDay: number
  /** What the records say with the batch; undefined: they were not asked. */
  total: number | undefined
  /** What they were told. */
  saved: number
  /** Events of the batch that were looked at. */
  seen: number
}

const memories = new WeakMap<object, ThinMemory>()

/** One for each set of records: all partitions of a process count together. */
export function thinMemoryOf(records: Records): ThinMemory {
  const memory = memories.get(records) ?? createMemory()
  memories.set(records, memory)
  return memory
}

function createMemory(): ThinMemory {
  const days = createBoundedMap<string, Remembered>(MAX_REMEMBERED)
  return {
    of: (key) => days.get(key) ?? NOTHING,
    remember(counted) {
      for (const [key, { own, total, saved }] of counted) {
        const { known, unsaved } = days.get(key) ?? NOTHING
        // Another partition's batch may have been counted meanwhile.
        if (total === undefined) days.set(key, { known, unsaved: unsaved + own })
        else days.set(key, { known: total, unsaved: Math.max(0, unsaved + own - saved) })
      }
    },
  }
}

const keyOf = (issueId: number, dayMs: number): string => `${issueId}:${dayMs}`
const dayOf = ({ receivedMs }: ProcessedEvent): number => Math.floor(receivedMs / DAY_MS) * DAY_MS

export type Thinning = {
  /** To be asked once for each event, in their order. */
  isTooMany(event: ProcessedEvent, issueId: number): boolean
  readonly counted: ReadonlyMap<string, DayCount>
}

/** In the transaction that marks the batch. */
export async function openThinning(
  tx: Records,
  memory: ThinMemory,
  issueOf: ReadonlyMap<ProcessedEvent, number>,
): Promise<Thinning> {
  const counted = new Map<string, DayCount>()
  for (const [event, issueId] of issueOf) {
    const { fullPerDay } = event
    if (fullPerDay === undefined || !isSampled(event)) continue
    const dayMs = dayOf(event)
    const day = counted.get(keyOf(issueId, dayMs))
    if (day) {
      day.own++
      day.fullPerDay = Math.min(day.fullPerDay, fullPerDay)
    } else
      counted.set(keyOf(issueId, dayMs), {
        issueId,
        dayMs,
        own: 1,
        fullPerDay,
        total: undefined,
        saved: 0,
        seen: 0,
      })
  }
  // In one order, or two partitions could wait for each other's rows.
  for (const [key, day] of [...counted].toSorted(
    ([, a], [, b]) => a.issueId - b.issueId || a.dayMs - b.dayMs,
  )) {
    const { known, unsaved } = memory.of(key)
    if (known + unsaved + day.own < day.fullPerDay * NOTICED_FROM) continue
    day.saved = unsaved + day.own
    day.total = await addReceived(tx, day)
  }
  return {
    counted,
    isTooMany(event, issueId) {
      const { fullPerDay } = event
      const day = counted.get(keyOf(issueId, dayOf(event)))
      if (!day || fullPerDay === undefined || !isSampled(event)) return false
      day.seen++
      if (day.total === undefined) return false
      const at = day.total - day.own + day.seen
      return at > fullPerDay && lotOf(event.eventId) >= sampledShare(at / fullPerDay)
    },
  }
}

async function addReceived(tx: Records, { issueId, dayMs, saved }: DayCount): Promise<number> {
  const { received } = await tx
    .insertInto('issue_day')
    .values({ issue_id: issueId, day_ms: dayMs, received: saved })
    .onConflict((on) =>
      on
        .columns(['issue_id', 'day_ms'])
        .doUpdateSet((eb) => ({ received: eb('issue_day.received', '+', saved) })),
    )
    .returning('received')
    .executeTakeFirstOrThrow()
  return received
}

/**
 * Of the events behind the first of a day: 1 in 10, behind ten times as many 1 in 100, and so on. So each tenfold adds as many
 * rows as there are whole, and what is said of their tags is as right at a million as at ten thousand.
 */
export function sampledShare(timesFull: number): number {
  return 10 ** -Math.max(1, Math.ceil(Math.log10(timesFull)))
}
