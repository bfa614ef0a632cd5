/** A request that was refused before its items were known still ends in an outcome: one of category `default`. */
import type { Outcome } from '@sonde/protocol'
import type { OutcomeOwner, OutcomeTally } from './admit/outcome-tally.ts'
import type { RefusalDetails } from './refusal.ts'

export function countRefusal(tally: OutcomeTally, owner: OutcomeOwner, details: RefusalDetails): void {
  // The client hung up: nothing was received, and an SDK counts what it could not send.
  if (details.isCounted || details.reason === 'client_gone') return
  tally.add(owner, 'default', outcomeOf(details), details.reason, 1)
}

function outcomeOf({ status, reason }: RefusalDetails): Outcome {
  if (status < 500) return 'invalid'
  return reason === 'overload' ? 'rate_limited' : 'failed'
}
