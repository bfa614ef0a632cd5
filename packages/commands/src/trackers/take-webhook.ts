/**
 * What an issue tracker tells of an issue that is linked: its title and address, that it was closed or opened, that it is gone.
 * Anybody can send to this address, so nothing of the body is read before its signature was found right. A repeat, or a message
 * that was overtaken by a later one, changes nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { openTracker, TrackerRefusal } from '@sonde/alerts'
import {
  type IssueStatus,
  noteIssueChanges,
  type Records,
  trackerActor,
  type TrackerState,
  writeTransaction,
} from '@sonde/stores'
import { writeAuditOf } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { ACTION_OF, CHANGE_OF, SUBSTATUS_OF } from '../issues/update-issues.ts'
import { RESOLVED_AT_ONCE } from '../releases/resolution.ts'
import { trackersOf } from './change-connection.ts'

export type TrackerWebhook = { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array }

/** False: no such connection, or not signed as its webhooks are, or too old: which of them is not told. */
export async function takeTrackerWebhook(
  deps: CommandDeps,
  trackerId: number,
  { headers, body }: TrackerWebhook,
): Promise<boolean> {
  const row = await deps.records
    .selectFrom('tracker_connection')
    .select(['id', 'org_id', 'kind', 'settings', 'secret', 'sync_in'])
    .where('id', '=', trackerId)
    .executeTakeFirst()
  if (!row) return false
  const opened = await openTracker(trackersOf(deps), row).catch((error: unknown) => {
    if (error instanceof TrackerRefusal) return undefined
    throw error
  })
  if (!opened?.tracker.isSigned(opened.webhookSecret, headers, body)) return false
  const nowMs = deps.clock.nowMs()
  const told = opened.tracker.readWebhook(parsed(body), opened.settings, nowMs)
  if (told === 'stale') return false
  await writeTransaction(deps.records, async (tx) => {
    await tx.updateTable('tracker_connection').set({ webhook_ms: nowMs }).where('id', '=', row.id).execute()
    if (!told) return
    const state: TrackerState = told.isDeleted ? 'deleted' : told.isOpen ? 'open' : 'closed'
    const links = await tx
      .selectFrom('tracker_link')
      .select(['id', 'issue_id', 'state', 'wanted'])
      .where('connection_id', '=', row.id)
      .where('external_id', '=', told.id)
      .where('changed_ms', '<=', told.changedMs)
      .orderBy('tracker_link.issue_id')
      .execute()
    for (const link of links) {
      // What we are about to tell is newer than what it tells, unless it says the same.
      const isOurs = link.wanted === 'open' || link.wanted === 'closed'
      const isFollowed = row.sync_in === 1 && link.state !== state && state !== 'deleted' && !isOurs
      if (isFollowed) await follow(tx, { ...row, issueId: link.issue_id, state, key: told.key }, nowMs)
      await tx
        .updateTable('tracker_link')
        .set({
          external_key: told.key,
          url: told.url,
          title: told.title,
          state,
          changed_ms: told.changedMs,
          synced_ms: nowMs,
          // The tracker knows what it said itself.
          ...((isFollowed || state === 'deleted' || link.wanted === state) && { wanted: '', answer: '' }),
        })
        .where('id', '=', link.id)
        .execute()
    }
  })
  return true
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

type Followed = {
  readonly id: number
  readonly org_id: number
  readonly issueId: number
  readonly state: 'open' | 'closed'
  readonly key: string
}

/** One that is ignored is not reopened. */
async function follow(
  tx: Records,
  { id, org_id, issueId, state, key }: Followed,
  nowMs: number,
): Promise<void> {
  const status: IssueStatus = state === 'closed' ? 'resolved' : 'unresolved'
  const issue = await tx
    .updateTable('issue')
    .set({ status, substatus: SUBSTATUS_OF[status], ...RESOLVED_AT_ONCE })
    .where('id', '=', issueId)
    .where('status', state === 'closed' ? '<>' : '=', 'resolved')
    .returning('project_id')
    .executeTakeFirst()
  if (!issue) return
  const actor = trackerActor(id)
  const { project_id: projectId } = issue
  await noteIssueChanges(tx, [{ projectId, issueId, kind: CHANGE_OF[status], actor }], nowMs)
  const { slug, org } = await tx
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['project.slug', 'organization.slug as org'])
    .where('project.id', '=', projectId)
    .executeTakeFirstOrThrow()
  await writeAuditOf(tx, {
    orgId: org_id,
    actor,
    action: ACTION_OF[status],
    subject: `${org}/${slug}`,
    detail: { count: 1, ids: [issueId], external: key },
    atMs: nowMs,
  })
}
