/** Items without an issue: whose project is still there, into their tables, and what became of them. */
import { type OutcomeFields, type Records, ROW_TABLES, type StoredSpans, type Telemetry } from '@sonde/stores'
import type { ProcessedRows } from '../process/processed.ts'
import { insertRows, type Refused } from './insert-rows.ts'
import type { EventEnd } from './outcomes.ts'

/** Those whose project was deleted meanwhile. */
export async function rowsWithoutProject(
  tx: Records,
  items: readonly ProcessedRows[],
): Promise<ReadonlySet<ProcessedRows>> {
  const projectIds = [...new Set(items.map(({ projectId }) => projectId))]
  if (projectIds.length === 0) return new Set()
  const rows = await tx.selectFrom('project').select('id').where('id', 'in', projectIds).execute()
  const known = new Set(rows.map(({ id }) => id))
  return new Set(items.filter(({ projectId }) => !known.has(projectId)))
}

/** Rows that one table refuses may already be stored in another: the item is reported all the same. */
export async function insertItems(
  telemetry: Pick<Telemetry, 'insert'>,
  items: readonly ProcessedRows[],
  token: string,
): Promise<Refused<ProcessedRows>[]> {
  const refused = new Map<ProcessedRows, Error>()
  for (const table of ROW_TABLES) {
    const filling = items.filter(({ rows }) => rows[table] !== undefined)
    for (const { item, error } of await insertRows(
      telemetry,
      table,
      filling,
      ({ rows }) => rows[table] ?? '',
      token,
    ))
      refused.set(item, error)
  }
  return [...refused].map(([item, error]) => ({ item, error }))
}

export const rowOutcomes = (
  { projectId, keyId, receivedMs: atMs, counts }: ProcessedRows,
  end: EventEnd,
): OutcomeFields[] => counts.map((count) => ({ atMs, projectId, keyId, ...end, ...count }))

/** What it uses of its project's cap for spans. */
export const storedSpans = ({ projectId, receivedMs, counts }: ProcessedRows): StoredSpans => ({
  projectId,
  receivedMs,
  spans: counts.reduce((sum, { category, quantity }) => sum + (category === 'span' ? quantity : 0), 0),
})
