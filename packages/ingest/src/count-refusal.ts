/** A request that was refused before its items were known still ends in an outcome: one of category `default`. */
import { OUTCOME_REASONS, type OutcomeReason, type ReasonedOutcome } from '@sonde/protocol'
import type { OutcomeOwner, OutcomeTally } from './admit/outcome-tally.ts'
import type { RefusalDetails, RefusalReason } from './refusal.ts'

export function countRefusal(tally: OutcomeTally, owner: OutcomeOwner, details: RefusalDetails): void {
  const { reason, isCounted } = details
  if (isCounted) return
  for (const outcome of ['filtered', 'invalid', 'rate_limited', 'failed'] as const)
    if (isReasonOf(outcome, reason)) tally.add(owner, 'default', outcome, reason, 1)
}

function isReasonOf<O extends ReasonedOutcome>(
  outcome: O,
  reason: RefusalReason,
): reason is RefusalReason & OutcomeReason<O> {
  return Object.hasOwn(OUTCOME_REASONS[outcome], reason)
}
