/**
 * Which events of a batch are counted and not stored: those that are too many of their project (spikes) or of their issue.
 * Each counts with an event that is stored and like it in all that is counted by, so these counts stay exact.
 */
import { hash } from 'node:crypto'
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import { type HeldItems, placeKey } from './pipeline-state.ts'
import type { SpikeSampling } from './sample-spikes.ts'
import type { Thinning } from './thin-issues.ts'

/**
 * So many of a batch get a row at once. Fewer wait for others of later batches: a row for each batch would store every event
 * where few come, and where a million come in an hour more than the sample is.
 */
const ROW_FROM = 1_000

export type LeftOutReason = 'spike' | 'thinned'

/** Events that are alike: of one issue, fingerprint, level, release, environment and class of noise. */
type Group = {
  kept: ProcessedEvent | undefined
  /** Waits in the records, and is stored from there. */
  waiting: ProcessedEvent | undefined
  readonly out: ProcessedEvent[]
}
export type LeftOut = {
  readonly reasonOf: ReadonlyMap<ProcessedEvent, LeftOutReason>
  /** What is stored later, with those that count with it. */
  readonly waiting: ReadonlySet<ProcessedEvent>
  /** A stored event → those that count with it. */
  readonly countedWith: ReadonlyMap<ProcessedEvent, readonly ProcessedEvent[]>
  /** By `alikeOf`: those that count with an event that waits, itself among them. */
  readonly held: ReadonlyMap<string, readonly ProcessedEvent[]>
}

export const alikeOf = ({ hashes, issue, noise }: ProcessedEvent, issueId: number): string =>
  hash(
    'sha256',
    JSON.stringify([issueId, hashes[0], issue.level, issue.release, issue.environment, noise]),
    'hex',
  ).slice(0, 32)

type Decided = {
  readonly issueOf: ReadonlyMap<ProcessedEvent, number>
  /** What an earlier attempt decided, for all of the batch. */
  readonly before: HeldItems | undefined
  readonly spikes: SpikeSampling
  readonly thinning: Thinning
}

/** In the transaction that marks the batch. */
export async function chooseLeftOut(tx: Records, decided: Decided): Promise<LeftOut> {
  const { issueOf, before, spikes, thinning } = decided
  const groups = new Map<string, Group>()
  const reasonOf = new Map<ProcessedEvent, LeftOutReason>()
  const waiting = new Set<ProcessedEvent>()
  const decide = (
    event: ProcessedEvent,
    issueId: number,
    group: Group,
  ): LeftOutReason | 'held_back' | undefined => {
    if (before) {
      const reason = before.get(placeKey(event))
      return reason === 'spike' || reason === 'thinned' || reason === 'held_back' ? reason : undefined
    }
    // Both are asked for each event: it counts.
    const isSpike = spikes.isTooMany(event)
    if (thinning.isTooMany(event, issueId)) return isSpike ? 'spike' : 'thinned'
    return isSpike && group.kept ? 'spike' : undefined
  }
  for (const [event, issueId] of issueOf) {
    const alike = alikeOf(event, issueId)
    const group = groups.get(alike) ?? { kept: undefined, waiting: undefined, out: [] }
    groups.set(alike, group)
    const reason = decide(event, issueId, group)
    if (reason === undefined) group.kept ??= event
    else {
      group.out.push(event)
      if (reason === 'held_back') group.waiting = event
      else reasonOf.set(event, reason)
    }
  }
  const alone = [...groups].filter(([, { kept, out }]) => !kept && out.length > 0)
  if (!before) {
    for (const [, group] of alone) if (group.out.length >= ROW_FROM) group.kept = group.out.shift()
    const open = await openAmong(tx, alone)
    for (const [alike, group] of alone) if (!group.kept && !open.has(alike)) group.waiting = group.out[0]
  }
  const countedWith = new Map<ProcessedEvent, readonly ProcessedEvent[]>()
  const held = new Map<string, readonly ProcessedEvent[]>()
  for (const [alike, { kept, waiting: first, out }] of groups) {
    if (kept) reasonOf.delete(kept)
    if (first) {
      waiting.add(first)
      reasonOf.delete(first)
    }
    if (out.length === 0) continue
    if (kept) countedWith.set(kept, out)
    else held.set(alike, out)
  }
  return { reasonOf, waiting, countedWith, held }
}

/** For which of these an event waits already. */
async function openAmong(
  tx: Records,
  groups: readonly (readonly [string, Group])[],
): Promise<ReadonlySet<string>> {
  const asked = groups.flatMap(([alike, { kept }]) => (kept ? [] : [alike]))
  if (asked.length === 0) return new Set()
  const rows = await tx
    .selectFrom('held_event')
    .select('alike')
    .where('alike', 'in', asked)
    .where('is_closed', '=', 0)
    .execute()
  return new Set(rows.map(({ alike }) => alike))
}
