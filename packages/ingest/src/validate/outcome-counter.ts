/**
 * Counts what is refused at the endpoint and writes the sums into the log about once a second, so that
 * every received item ends in one visible outcome (guarantee G3). Counting never waits and never fails.
 */
import type { Clock, Logger } from '@sonde/base'
import { type DoorOutcome, encodeIntakeHead, type LogWriter } from '@sonde/log'
import {
  type DataCategory,
  type Envelope,
  itemKind,
  itemQuantity,
  type OutcomeReason,
  type ReasonedOutcome,
} from '@sonde/protocol'

export type OutcomeCounter = {
  add<O extends ReasonedOutcome>(
    owner: OutcomeOwner,
    category: DataCategory,
    outcome: O,
    reason: OutcomeReason<O>,
    quantity: number,
  ): void
  /** Writes what is counted now. Never rejects: what cannot be written stays counted for the next time. */
  flush(): Promise<void>
  /** Flushes once more. Call before the log is closed. */
  stop(): Promise<void>
}

export type OutcomeOwner = { readonly projectId: number; readonly keyId: number }
/** Requests that name no key of ours: counted as a whole, under no project. */
export const NOBODY: OutcomeOwner = { projectId: 0, keyId: 0 }

const FLUSH_EVERY_MS = 1_000
// Categories and reasons are fixed sets and owners are keys of ours: only a huge installation comes near.
const MAX_ROWS = 20_000

type Row = { -readonly [K in keyof DoorOutcome]: DoorOutcome[K] }

export function startOutcomeCounter(
  log: LogWriter,
  clock: Clock,
  logger: Logger,
  flushEveryMs: number = FLUSH_EVERY_MS,
): OutcomeCounter {
  let rows = new Map<string, Row>()
  let flushing: Promise<void> = Promise.resolve()

  let timer: NodeJS.Timeout | undefined

  const count = (row: Row): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, flushEveryMs).unref()
    const id = `${row.projectId}:${row.keyId}:${row.category}:${row.outcome}:${row.reason}`
    const known = rows.get(id)
    if (known) known.quantity += row.quantity
    else if (rows.size < MAX_ROWS) rows.set(id, row)
    // Full: the project is forgotten, the outcome is not.
    else if (row.projectId !== 0) count({ ...row, projectId: 0, keyId: 0 })
  }
  const write = async (): Promise<void> => {
    if (rows.size === 0) return
    const taken = [...rows.values()]
    rows = new Map()
    // What is in one record is stored together: a shard that is away would hold up the outcomes of all.
    const records = Map.groupBy(taken, ({ projectId }) => log.partitionOf?.(projectId) ?? 0)
    await Promise.all([...records.values()].map(append))
  }
  const append = async (outcomes: readonly Row[]): Promise<void> => {
    try {
      const meta = { v: 1, kind: 'outcomes', receivedMs: clock.nowMs(), outcomes } as const
      await log.append(encodeIntakeHead(meta), undefined, outcomes[0]?.projectId)
    } catch (error) {
      logger.debug({ err: error }, 'outcomes could not be written; they stay counted')
      for (const row of outcomes) count(row)
    }
  }
  // Behind one that runs, not instead of it: that one took its rows before the newest were counted.
  const flush = (): Promise<void> => (flushing = flushing.then(write))

  return {
    add({ projectId, keyId }, category, outcome, reason, quantity) {
      count({ projectId, keyId, category, outcome, reason, quantity })
    },
    flush,
    async stop() {
      clearTimeout(timer)
      await flush()
    },
  }
}

/** Counts every item of an envelope under one outcome, except those in `skip`, counted before. */
export function countItems<O extends ReasonedOutcome>(
  outcomes: OutcomeCounter,
  owner: OutcomeOwner,
  envelope: Envelope,
  skip: readonly number[],
  outcome: O,
  reason: OutcomeReason<O>,
): void {
  const counted = new Set(skip)
  for (const [index, item] of envelope.items.entries())
    if (!counted.has(index))
      outcomes.add(owner, itemKind(item.header.type).category, outcome, reason, itemQuantity(item.header))
}
