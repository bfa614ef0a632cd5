/** What of a span item ends before it is stored, and what each end counts as. */
import type { CountedReason, Outcome } from '@sonde/protocol/outcome'
import type { OutcomeFields } from '@sonde/stores'
import type { Count } from '../process/processed.ts'
import type { ProcessedSpans } from './span.ts'

type SpanCounts = { readonly transactions: 0 | 1; readonly spans: number }

/** A transaction counts once as such, and its spans as spans: that is what SDKs count when they drop one. */
export function countsOf(category: string, { transactions, spans }: SpanCounts): readonly Count[] {
  const counts = [
    { category: 'transaction', quantity: transactions },
    { category: category === 'trace_metric' ? 'trace_metric' : 'span', quantity: spans },
  ]
  return counts.filter(({ quantity }) => quantity > 0)
}

/** What sampling left out, what is no span, or was there before; the rest ends when it is committed. */
export function spansThatEnd({ item, sampledOut, ...left }: ProcessedSpans): OutcomeFields[] {
  const { projectId, keyId, receivedMs: atMs, category } = item
  const ended = <O extends Outcome>(end: O, reason: CountedReason<O>, counts: SpanCounts): OutcomeFields[] =>
    countsOf(category, counts).map((each) => ({ atMs, projectId, keyId, outcome: end, reason, ...each }))
  const only = (spans: number): SpanCounts => ({ transactions: 0, spans })
  const isMetric = category === 'trace_metric'
  return [
    ...sampledOut.flatMap(({ reason, ...counts }) => ended('filtered', reason, counts)),
    ...ended('invalid', isMetric ? 'bad_payload' : 'bad_span', only(left.lost)),
    ...ended('invalid', 'duplicate_span', only(left.repeated)),
    ...left.filtered.flatMap(({ reason, spans }) => ended('filtered', reason, only(spans))),
  ]
}
