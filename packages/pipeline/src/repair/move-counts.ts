/** What a lot changes of its issues. Runs in the transaction that moves the cursor, so that it happens once. */
import type { Records } from '@sonde/stores'
import type { IssueFigures } from './issue-figures.ts'
import type { LotItem } from './repair-cursor.ts'

type Delta = { events: number; readonly lostMs: number[] }

/** By issue: how many came or went, and the times of those that went. */
export function deltasOf(items: readonly LotItem[]): ReadonlyMap<number, Delta> {
  const deltas = new Map<number, Delta>()
  const of = (id: number): Delta => {
    const known = deltas.get(id) ?? { events: 0, lostMs: [] }
    deltas.set(id, known)
    return known
  }
  for (const { from, to, timestampMs } of items) {
    of(to)
    if (from === to) continue
    of(to).events++
    of(from).events--
    of(from).lostMs.push(timestampMs)
  }
  return deltas
}

export async function moveCounts(
  tx: Records,
  deltas: ReadonlyMap<number, Delta>,
  figures: ReadonlyMap<number, IssueFigures>,
): Promise<void> {
  for (const [id, delta] of deltas) {
    const issue = await tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()
    if (!issue) continue
    const found = figures.get(id)
    const changes = found ? changesOf(issue, delta, found) : {}
    await tx
      .updateTable('issue')
      // It may pass below zero: events that came meanwhile are counted by their own transaction.
      .set({ ...changes, event_count: issue.event_count + delta.events })
      .where('id', '=', id)
      .execute()
  }
}

type IssueRow = {
  readonly first_seen_ms: number
  readonly last_seen_ms: number
  readonly first_release: string
  readonly last_release: string
  readonly is_unhandled: number
}

/**
 * Times widen by what came. Where the first or the last event went, they follow what is stored; else they stay, because
 * retention may have taken the events that they are of.
 */
function changesOf(issue: IssueRow, { lostMs }: Delta, { oldest, newest, isUnhandled }: IssueFigures) {
  const lostFirst = lostMs.some((ms) => ms <= issue.first_seen_ms)
  const lostLast = lostMs.some((ms) => ms >= issue.last_seen_ms)
  const firstSeenMs = lostFirst ? oldest.timestampMs : Math.min(issue.first_seen_ms, oldest.timestampMs)
  const lastSeenMs = lostLast ? newest.timestampMs : Math.max(issue.last_seen_ms, newest.timestampMs)
  const isOldest = oldest.timestampMs <= firstSeenMs
  const isNewest = newest.timestampMs >= lastSeenMs
  const hadUnhandled = lostMs.length === 0 && issue.is_unhandled === 1
  return {
    first_seen_ms: firstSeenMs,
    last_seen_ms: lastSeenMs,
    is_unhandled: isUnhandled || hadUnhandled ? 1 : 0,
    ...((lostFirst || (isOldest && oldest.release !== '')) && { first_release: oldest.release }),
    ...(isNewest && {
      type: newest.type,
      level: newest.level,
      title: newest.title,
      culprit: newest.culprit,
      platform: newest.platform,
      last_event_id: newest.eventId,
      ...newest.payload,
      ...((lostLast || newest.release !== '') && { last_release: newest.release }),
    }),
  }
}
