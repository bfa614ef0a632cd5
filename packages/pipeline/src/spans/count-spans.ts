/** A transaction counts once as such, and its spans as spans: that is what SDKs count when they drop one. */
import type { OutcomeFields } from '@sonde/stores'
import type { DigestedSpans } from './digested-spans.ts'

export type SpanEnd = Pick<OutcomeFields, 'outcome' | 'reason'>
export type SpanCounts = { readonly transactions: 0 | 1; readonly spans: number }

export function countSpans(
  item: DigestedSpans,
  { transactions, spans }: SpanCounts,
  end: SpanEnd,
): OutcomeFields[] {
  const { projectId, keyId, receivedMs: atMs } = item
  const counts = [
    { category: 'transaction', quantity: transactions },
    { category: item.category === 'trace_metric' ? 'trace_metric' : 'span', quantity: spans },
  ]
  return counts
    .filter(({ quantity }) => quantity > 0)
    .map((each) => ({ atMs, projectId, keyId, ...end, ...each }))
}

/** What sampling left out ends here; the rest of the item when it is committed. */
export const sampledOutcomes = (item: DigestedSpans): OutcomeFields[] =>
  item.sampledOut.flatMap(({ reason, ...counts }) =>
    countSpans(item, counts, { outcome: 'filtered', reason }),
  )

/** What is no span, was there before, or is shown nowhere ends here too. */
export function leftOutcomes(item: DigestedSpans): OutcomeFields[] {
  const isMetric = item.category === 'trace_metric'
  const ends: readonly (readonly [quantity: number, end: SpanEnd])[] = [
    [item.lost, { outcome: 'invalid', reason: isMetric ? 'bad_payload' : 'bad_span' }],
    [item.repeated, { outcome: 'invalid', reason: 'duplicate_span' }],
    [item.notShown, { outcome: 'unsupported', reason: 'not_yet_shown' }],
    ...item.filtered.map(({ reason, spans }) => [spans, { outcome: 'filtered', reason }] as const),
  ]
  return ends.flatMap(([spans, end]) => countSpans(item, { transactions: 0, spans }, end))
}
