/** Removes what issues that are gone from the records left behind: attachments first, because events tell which. */
import type { Clock } from '@sonde/base'
import { discardBlobs, type Records, type Telemetry, writeTransaction } from '@sonde/stores'
import { deleteRows } from '../reprocess/stored-chunk.ts'

export type OpenDeletion = {
  readonly id: number
  readonly projectId: number
  readonly issueIds: readonly number[]
}

export async function openDeletions(records: Records): Promise<readonly OpenDeletion[]> {
  const rows = await records
    .selectFrom('issue_deletion')
    .select(['id', 'project_id', 'issues'])
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id, project_id: projectId, issues }) => ({
    id,
    projectId,
    issueIds: JSON.parse(issues) as number[],
  }))
}

type Needs = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

// A deletion walks every part of its table, for ten rows as for thousands. Fewer than SQLite takes as parameters.
const EVENTS_AT_ONCE = 5_000
const ATTACHMENTS_AT_ONCE = 500

/** One step, of the oldest events that are left: how many there were. May be interrupted anywhere and called again. */
export async function deleteIssueEvents(
  needs: Needs,
  { projectId, issueIds }: OpenDeletion,
): Promise<number> {
  const { telemetry } = needs
  const events = await telemetry.query<{ eventId: string }>(
    `SELECT DISTINCT toString(event_id) AS eventId FROM events WHERE ${OF_ISSUES} LIMIT ${EVENTS_AT_ONCE}`,
    { project: projectId, issues: issueIds },
  )
  const ids = events.map(({ eventId }) => eventId)
  if (ids.length > 0) await deleteAttachments(needs, projectId, ids)
  // The index has also events that a spike left out: with the last step all that names the issues goes.
  const isLast = ids.length < EVENTS_AT_ONCE
  const named = isLast ? OF_ISSUES : `${OF_ISSUES} AND event_id IN {events:Array(FixedString(32))}`
  const params = { project: projectId, issues: issueIds, ...(!isLast && { events: ids }) }
  await deleteRows(needs, 'event_index', named, params)
  await deleteRows(needs, 'events', named, params)
  return isLast ? 0 : ids.length
}

const OF_ISSUES = 'project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}'

export async function deleteAttachments(
  { records, clock }: Pick<Needs, 'records' | 'clock'>,
  projectId: number,
  eventIds: readonly string[],
): Promise<void> {
  for (let at = 0; at < eventIds.length; at += ATTACHMENTS_AT_ONCE)
    await writeTransaction(records, async (tx) => {
      const gone = await tx
        .deleteFrom('attachment')
        .where('project_id', '=', projectId)
        .where('event_id', 'in', eventIds.slice(at, at + ATTACHMENTS_AT_ONCE))
        .returning('blob')
        .execute()
      if (gone.length > 0)
        await discardBlobs(
          tx,
          gone.map(({ blob }) => blob),
          clock.nowMs(),
        )
    })
}
