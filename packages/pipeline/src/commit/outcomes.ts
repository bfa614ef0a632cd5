/** Outcomes of a batch, summed, as rows. */
import type { ItemOutcome, OutcomeReason } from '@sonde/protocol/outcome'
import { encodeOutcomeRow, type OutcomeFields } from '@sonde/stores'
import type { DeadItem, DeadReason, ProcessedEvent } from '../process/processed.ts'

const MINUTE_MS = 60_000

export type EventEnd =
  | { readonly outcome: 'accepted'; readonly reason: '' }
  | Extract<ItemOutcome, { readonly outcome: 'filtered' | 'invalid' | 'failed' | 'rate_limited' }>
export const ACCEPTED: EventEnd = { outcome: 'accepted', reason: '' }

export function eventOutcome(event: ProcessedEvent, end: EventEnd): OutcomeFields {
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

// All reasons of an honest SDK, of a handful of categories each; a batch is a fifth of a second or more.
const MAX_SENT_NAMES = 100

/**
 * Reasons of client reports and names of unknown kinds are the senders' own words: more different ones of a project than
 * a batch may have are summed up as `other`, or a stranger could make a row of each.
 */
function withBoundedNames(outcomes: readonly OutcomeFields[]): readonly OutcomeFields[] {
  const namesOf = new Map<number, Set<string>>()
  return outcomes.map((each) => {
    const isUnknownKind = each.reason.startsWith('unknown_kind:')
    if (each.outcome !== 'client_discard' && !isUnknownKind) return each
    const names = namesOf.get(each.projectId) ?? new Set()
    namesOf.set(each.projectId, names)
    const name = `${each.category}\n${each.reason}`
    if (names.has(name)) return each
    if (names.size < MAX_SENT_NAMES) {
      names.add(name)
      return each
    }
    return isUnknownKind
      ? { ...each, reason: 'unknown_kind:other' }
      : { ...each, category: 'default', reason: 'other' }
  })
}

/** In a fixed order, so that the same batch gives the same rows. */
export function outcomeRows(outcomes: readonly OutcomeFields[]): string[] {
  const sums = Map.groupBy(withBoundedNames(outcomes), (each) =>
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
