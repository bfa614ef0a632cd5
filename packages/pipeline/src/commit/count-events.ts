/** Adds stored events to their issues and projects. Runs inside the transaction that moves the position. */
import { compareReleasesOf, type Records } from '@sonde/stores'
import type { DigestedEvent } from '../digest/digested.ts'
import { bringBack, type CompareVersions, releasesOfIssue } from './issue-releases.ts'

export type Counted = { readonly regressed: readonly number[] }

export async function countEvents(
  tx: Records,
  stored: readonly DigestedEvent[],
  issueOf: ReadonlyMap<DigestedEvent, number>,
): Promise<Counted> {
  const regressed: number[] = []
  for (const [issueId, events] of Map.groupBy(stored, (event) => issueOf.get(event) ?? 0)) {
    const issue = await readIssue(tx, issueId)
    // Somebody deleted it meanwhile; its events go with the next deletion run.
    if (!issue) continue
    const versions = [issue.first_release, issue.last_release, issue.resolved_release, ...versionsOf(events)]
    const compare = await compareReleasesOf(
      tx,
      issue.project_id,
      versions.filter((version) => version !== ''),
    )
    const change = touched(issue, events, compare)
    await tx.updateTable('issue').set(change).where('id', '=', issueId).execute()
    if (change.status === 'unresolved') regressed.push(issueId)
  }
  for (const [projectId, events] of Map.groupBy(stored, (event) => event.projectId)) {
    await tx
      .updateTable('project')
      .set({ first_event_ms: Math.min(...events.map((event) => event.receivedMs)) })
      .where('id', '=', projectId)
      .where('first_event_ms', 'is', null)
      .execute()
  }
  return { regressed }
}

const versionsOf = (events: readonly DigestedEvent[]): readonly string[] => [
  ...new Set(events.map(({ issue }) => issue.release)),
]

type IssueRow = NonNullable<Awaited<ReturnType<typeof readIssue>>>
const readIssue = (tx: Records, id: number) =>
  tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()

type Touched = Partial<Omit<IssueRow, 'id' | 'project_id' | 'short_number' | 'created_ms'>>

/** Times only widen; what an issue is called follows its newest event. */
function touched(issue: IssueRow, events: readonly DigestedEvent[], compare: CompareVersions): Touched {
  const newest = events.reduce((a, b) => (b.issue.timestampMs >= a.issue.timestampMs ? b : a))
  const oldest = events.reduce((a, b) => (b.issue.timestampMs < a.issue.timestampMs ? b : a))
  const isNewest = newest.issue.timestampMs >= issue.last_seen_ms
  return {
    event_count: issue.event_count + events.length,
    first_seen_ms: Math.min(issue.first_seen_ms, oldest.issue.timestampMs),
    last_seen_ms: Math.max(issue.last_seen_ms, newest.issue.timestampMs),
    is_unhandled: issue.is_unhandled === 1 || events.some((event) => event.issue.isUnhandled) ? 1 : 0,
    ...(isNewest && {
      type: newest.issue.type,
      level: newest.issue.level,
      title: newest.issue.title,
      culprit: newest.issue.culprit,
      platform: newest.issue.platform,
      metadata: newest.issue.metadata,
      logger: newest.issue.logger,
      last_event_id: newest.eventId,
    }),
    ...releasesOfIssue(issue, versionsOf(events), compare),
    ...(issue.status === 'resolved' && bringBack(issue, events, compare)),
  }
}
