/** The spans of a batch: whose project is still there, into their tables, and what became of them. */
import {
  type OutcomeFields,
  type Records,
  SPAN_TABLES,
  type StoredSpans,
  type Telemetry,
} from '@sonde/stores'
import { countSpans } from '../spans/count-spans.ts'
import type { DigestedSpans } from '../spans/digested-spans.ts'
import { insertRows, type Refused } from './insert-rows.ts'
import type { EventEnd } from './outcomes.ts'

/** Those whose project was deleted meanwhile. */
export async function homelessSpans(
  tx: Records,
  spans: readonly DigestedSpans[],
): Promise<ReadonlySet<DigestedSpans>> {
  const projectIds = [...new Set(spans.map(({ projectId }) => projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await tx.selectFrom('project').select('id').where('id', 'in', projectIds).execute()
  const known = new Set(rows.map(({ id }) => id))
  return new Set(spans.filter(({ projectId }) => !known.has(projectId)))
}

/** What one table refuses of an item may stand in another already: it is told all the same. */
export async function insertSpans(
  telemetry: Pick<Telemetry, 'insert'>,
  spans: readonly DigestedSpans[],
  token: string,
): Promise<Refused<DigestedSpans>[]> {
  const refused = new Map<DigestedSpans, Error>()
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

export const spanOutcomes = (item: DigestedSpans, end: EventEnd): OutcomeFields[] =>
  countSpans(item, { transactions: item.transactions, spans: item.spanCount }, end)

/** What it uses of its project's cap; metrics are no spans. */
export const storedSpans = ({ projectId, receivedMs, category, spanCount }: DigestedSpans): StoredSpans => ({
  projectId,
  receivedMs,
  spans: category === 'trace_metric' ? 0 : spanCount,
})
