import {
  type Envelope,
  itemKind,
  itemQuantity,
  type OutcomeReason,
  type ReasonedOutcome,
} from '@sonde/protocol'
import type { OutcomeOwner, OutcomeTally } from './outcome-tally.ts'

/** Counts every item of an envelope under one outcome, except those in `skip`, counted before. */
export function countItems<O extends ReasonedOutcome>(
  tally: OutcomeTally,
  owner: OutcomeOwner,
  envelope: Envelope,
  skip: readonly number[],
  outcome: O,
  reason: OutcomeReason<O>,
): void {
  const counted = new Set(skip)
  for (const [index, item] of envelope.items.entries())
    if (!counted.has(index))
      tally.add(owner, itemKind(item.header.type).category, outcome, reason, itemQuantity(item.header))
}
