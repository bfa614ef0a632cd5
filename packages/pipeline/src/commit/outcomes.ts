/** Outcomes of a batch, summed, as rows. */
import type { ItemOutcome, OutcomeReason } from '@sonde/protocol/outcome'
import { encodeOutcomeRow, type OutcomeFields } from '@sonde/stores'
import type { DeadItem, DeadReason, DigestedEvent } from '../digest/digested.ts'

const MINUTE_MS = 60_000

export type EventEnd =
  | { readonly outcome: 'accepted'; readonly reason: '' }
  | Extract<ItemOutcome, { readonly outcome: 'invalid' | 'failed' | 'rate_limited' }>
export const ACCEPTED: EventEnd = { outcome: 'accepted', reason: '' }

export function eventOutcome(event: DigestedEvent, end: EventEnd): OutcomeFields {
  const { projectId, keyId, category, receivedMs: atMs } = event
  return { atMs, projectId, keyId, category, ...end, quantity: 1 }
}

/** The dead letter itself says more. */
const FAILED: { readonly [reason in DeadReason]: OutcomeReason<'failed'> } = {
  record_unreadable: 'digest_error',
  envelope_unreadable: 'digest_error',
  digest_error: 'digest_error',
  digest_crash: 'digest_error',
  digest_timeout: 'digest_timeout',
  store_refused: 'digest_error',
}

export function deadOutcome(dead: DeadItem): OutcomeFields {
  const reason = FAILED[dead.reason]
  const { projectId, keyId, category, receivedMs: atMs } = dead
  return { atMs, projectId, keyId, category, outcome: 'failed', reason, quantity: 1 }
}

/** In a fixed order, so that the same batch gives the same rows. */
export function outcomeRows(outcomes: readonly OutcomeFields[]): string[] {
  const sums = Map.groupBy(outcomes, (each) =>
    [
      Math.floor(each.atMs / MINUTE_MS),
      each.projectId,
      each.keyId,
      each.category,
      each.outcome,
      each.reason,
    ].join('\n'),
  )
  return [...sums.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    return [encodeOutcomeRow({ ...first, quantity: same.reduce((sum, each) => sum + each.quantity, 0) })]
  })
}
