/** Where new feedback goes, by what the same sender wrote before. Inside the transaction that makes its issue. */
import type { Records } from '@sonde/stores'
import { sql, type SqlBool } from 'kysely'
import type { ProcessedEvent } from '../process/processed.ts'
import { type EarlierFeedback, spamOfHistory } from './spam.ts'

const DAY_MS = 86_400_000
// More of a day are not looked through: one transaction must not read without end.
const MAX_EARLIER = 500

export type Placed = { readonly isSpam: boolean; readonly metadata: string }

/** Of one project and one batch: what the batch itself brings counts too. */
export function openFeedbackPlaces(tx: Records, projectId: number): (event: Fed) => Promise<Placed> {
  let earlier: EarlierFeedback[] | undefined
  return async ({ issue, receivedMs }) => {
    const metadata = JSON.parse(issue.metadata) as Record<string, string>
    const own = saidIn(metadata, receivedMs)
    earlier ??= await readEarlier(tx, projectId, receivedMs - DAY_MS)
    const spam = metadata['spam'] ?? spamOfHistory(own, earlier)
    earlier.push(own)
    if (spam === undefined) return { isSpam: false, metadata: issue.metadata }
    return { isSpam: true, metadata: JSON.stringify({ ...metadata, spam }) }
  }
}
type Fed = Pick<ProcessedEvent, 'issue' | 'receivedMs'>

const saidIn = (metadata: Readonly<Record<string, string>>, atMs: number): EarlierFeedback => ({
  message: (metadata['message'] ?? '').trim().toLowerCase(),
  contact: (metadata['contact_email'] ?? '').trim().toLowerCase(),
  atMs,
})

async function readEarlier(tx: Records, projectId: number, sinceMs: number): Promise<EarlierFeedback[]> {
  const rows = await tx
    .selectFrom('issue')
    .select(['metadata', 'created_ms'])
    .where('project_id', '=', projectId)
    // As a literal: it is the condition of the index.
    .where(sql<SqlBool>`type = 'feedback'`)
    .where('last_seen_ms', '>=', sinceMs)
    .orderBy('last_seen_ms', 'desc')
    .limit(MAX_EARLIER)
    .execute()
  return rows.map((row) => saidIn(JSON.parse(row.metadata) as Record<string, string>, row.created_ms))
}
