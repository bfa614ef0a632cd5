/** Items that are not stored yet: what they are counted as. Nothing is swallowed (guarantee G3). */
import { parseClientReport } from '@sonde/protocol/client-report'
import type { EnvelopeItem } from '@sonde/protocol/envelope'
import { isItemType, itemKind, itemQuantity } from '@sonde/protocol/item-kinds'
import type { CountedReason, Outcome } from '@sonde/protocol/outcome'
import type { OutcomeFields } from '@sonde/stores'

export type CountedFor = {
  readonly projectId: number
  readonly keyId: number
  readonly receivedMs: number
  /** Name of the SDK, as it says itself. */
  readonly sdk: string
}

export function countItem(item: EnvelopeItem, by: CountedFor): OutcomeFields[] {
  const { type } = item.header
  if (type === 'client_report') return countClientReport(item.payload, by)
  const { category, unsupported } = itemKind(type)
  const reason = isItemType(type) ? (unsupported ?? 'not_yet_shown') : unknownKind(type, by.sdk)
  return [outcome(by, category, 'unsupported', reason, itemQuantity(item.header))]
}

/** `unknown_kind:hologram:sentry.javascript.browser`: which kind to build next, and who sends it. */
function unknownKind(type: string, sdk: string): CountedReason<'unsupported'> {
  return `unknown_kind:${shortName(type)}:${shortName(sdk) || 'unknown'}`
}

/** The report itself is taken in; what it tells of is counted with the SDK's own reasons. */
function countClientReport(payload: Uint8Array, by: CountedFor): OutcomeFields[] {
  const report = parseClientReport(payload)
  if (report === undefined) return [outcome(by, 'internal', 'invalid', 'bad_payload', 1)]
  const discarded = report.discarded.map(({ category, reason, quantity, source }) =>
    outcome(
      by,
      category,
      'client_discard',
      source === 'discarded' ? reason : `${source}:${reason}`,
      quantity,
    ),
  )
  return [outcome(by, 'internal', 'accepted', '', 1), ...discarded]
}

export function outcome<O extends Outcome>(
  by: Omit<CountedFor, 'sdk'>,
  category: string,
  ends: O,
  reason: CountedReason<O>,
  quantity: number,
): OutcomeFields {
  const { receivedMs: atMs, projectId, keyId } = by
  return { atMs, projectId, keyId, category, outcome: ends, reason, quantity }
}

/** Names come from outside and become keys of a count: few characters, and no way to spell one twice. */
function shortName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]/g, '_')
    .slice(0, 40)
}
