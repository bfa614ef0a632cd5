/** The spans of a batch: whose project is still there, into their tables, and what became of them. */
import {
  type OutcomeFields,
  type Records,
  SPAN_TABLES,
  type StoredSpans,
  type Telemetry,
} from '@sonde/stores'
import type { ProcessedSpans } from '../spans/span.ts'
import { insertRows, type Refused } from './insert-rows.ts'
import type { EventEnd } from './outcomes.ts'

/** Those whose project was deleted meanwhile. */
export async function spansWithoutProject(
  tx: Records,
  spans: readonly ProcessedSpans[],
): Promise<ReadonlySet<ProcessedSpans>> {
  const projectIds = [...new Set(spans.map(({ projectId }) => projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await tx.selectFrom('project').select('id').where('id', 'in', projectIds).execute()
  const known = new Set(rows.map(({ id }) => id))
  return new Set(spans.filter(({ projectId }) => !known.has(projectId)))
}

/** Rows that one table refuses may already be stored in another: the item is reported all the same. */
export async function insertSpans(
  telemetry: Pick<Telemetry, 'insert'>,
  spans: readonly ProcessedSpans[],
  token: string,
): Promise<Refused<ProcessedSpans>[]> {
  const refused = new Map<ProcessedSpans, Error>()
  for (const table of SPAN_TABLES) {
    const items = spans.filter(({ rows }) => rows[table] !== undefined)
    for (const { item, error } of await insertRows(
      telemetry,
      table,
      items,
      ({ rows }) => rows[table] ?? '',
      token,
    ))
      refused.set(item, error)
  }
  return [...refused].map(([item, error]) => ({ item, error }))
}

export const spanOutcomes = (item: ProcessedSpans, end: EventEnd): OutcomeFields[] =>
  countSpans(item, { transactions: item.transactions, spans: item.spanCount }, end)

/** What it uses of its project's cap; metrics are no spans. */
export const storedSpans = ({ projectId, receivedMs, category, spanCount }: ProcessedSpans): StoredSpans => ({
  projectId,
  receivedMs,
  spans: category === 'trace_metric' ? 0 : spanCount,
})

/** A transaction counts once as such, and its spans as spans: that is what SDKs count when they drop one. */
type SpanEnd = Pick<OutcomeFields, 'outcome' | 'reason'>
type SpanCounts = { readonly transactions: 0 | 1; readonly spans: number }

function countSpans(
  item: ProcessedSpans,
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
export const sampledOutcomes = (item: ProcessedSpans): OutcomeFields[] =>
  item.sampledOut.flatMap(({ reason, ...counts }) =>
    countSpans(item, counts, { outcome: 'filtered', reason }),
  )

/** What is no span, was there before, or is shown nowhere ends here too. */
export function leftOutcomes(item: ProcessedSpans): OutcomeFields[] {
  const isMetric = item.category === 'trace_metric'
  const ends: readonly (readonly [quantity: number, end: SpanEnd])[] = [
    [item.lost, { outcome: 'invalid', reason: isMetric ? 'bad_payload' : 'bad_span' }],
    [item.repeated, { outcome: 'invalid', reason: 'duplicate_span' }],
    [item.notShown, { outcome: 'unsupported', reason: 'not_yet_shown' }],
    ...item.filtered.map(({ reason, spans }) => [spans, { outcome: 'filtered', reason }] as const),
  ]
  return ends.flatMap(([spans, end]) => countSpans(item, { transactions: 0, spans }, end))
}
