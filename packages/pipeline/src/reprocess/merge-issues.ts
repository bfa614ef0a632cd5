/** An issue without events becomes part of the one that they went to. Its number and its hashes lead there. */
import type { Clock } from '@sonde/base'
import {
  compareReleasesOf,
  type IssueTable,
  mergedInto,
  moveActivity,
  type Records,
  type Selectable,
  type Telemetry,
  type Updateable,
  writeTransaction,
} from '@sonde/stores'
import { holdProject } from '../commit/project-holds.ts'
import { type CompareVersions, releasesOfIssue } from '../commit/record-releases.ts'
import { shiftSnooze } from '../moves/snoozes.ts'
import type { Emptied } from './reprocessing-cursor.ts'

export type MergeNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly clock: Clock
  readonly signal: AbortSignal
}
export type MergeEnd = 'merged' | 'kept' | 'waits'
type Reprocessing = { readonly id: number; readonly org_id: number; readonly actor: string }

/**
 * Holds the project meanwhile, so that no event has an issue already and is not counted yet. `kept`: something came for it.
 * `waits`: to be tried again, a batch of the project that was begun does not end. `note` runs in the same transaction.
 */
export async function mergeIssue(
  needs: MergeNeeds,
  reprocessing: Reprocessing,
  { issueId, intoId }: Emptied,
  note: (tx: Records, end: MergeEnd) => Promise<void>,
): Promise<MergeEnd> {
  const { records, telemetry, clock, signal } = needs
  const gone = await readIssue(records, issueId)
  if (!gone) {
    await writeTransaction(records, (tx) => note(tx, 'kept'))
    return 'kept'
  }
  const hold = await holdProject(records, gone.project_id, signal)
  if (!hold) return 'waits'
  try {
    const [row] = await telemetry.query<{ n: number }>(
      `SELECT count() AS n FROM events WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}`,
      { project: gone.project_id, issue: issueId },
    )
    return await writeTransaction(records, async (tx) => {
      if (!(await hold.isOurs(tx))) return 'waits'
      const isMerged = row?.n === 0 && (await moveIssue(tx, reprocessing, issueId, intoId, clock.nowMs()))
      const end = isMerged ? 'merged' : 'kept'
      await note(tx, end)
      return end
    })
  } finally {
    await hold.release().catch(() => undefined)
  }
}

async function moveIssue(
  tx: Records,
  reprocessing: Reprocessing,
  issueId: number,
  intoId: number,
  atMs: number,
): Promise<boolean> {
  const gone = await readIssue(tx, issueId)
  const into = await readIssue(tx, await whereItLeads(tx, intoId))
  // Somebody merged it meanwhile: its events are another's already, and it may be given back.
  if (gone && (await whereItLeads(tx, gone.id)) !== gone.id) return false
  if (!gone || !into || gone.id === into.id || gone.project_id !== into.project_id) return false
  const versions = [into.first_release, into.last_release, gone.first_release, gone.last_release]
  const compare = await compareReleasesOf(
    tx,
    into.project_id,
    versions.filter((version) => version !== ''),
  )
  await tx
    .updateTable('issue')
    .set(mergedState(into, gone, compare))
    .where('id', '=', into.id)
    .execute()
  await shiftSnooze(tx, into.id, gone.event_count)
  await tx.updateTable('issue_hash').set({ issue_id: into.id }).where('issue_id', '=', gone.id).execute()
  for (const table of ['issue_redirect', 'issue_merge'] as const)
    await tx.updateTable(table).set({ into_issue_id: into.id }).where('into_issue_id', '=', gone.id).execute()
  await moveCommits(tx, gone.id, into.id)
  await moveTrackerLinks(tx, gone.id, into.id)
  await moveActivity(tx, gone.id, into.id)
  await tx
    .insertInto('issue_seen')
    .columns(['issue_id', 'kind', 'name'])
    .expression((eb) =>
      eb
        .selectFrom('issue_seen')
        .select([eb.val(into.id).as('id'), 'kind', 'name'])
        .where('issue_id', '=', gone.id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id, project_id, short_number } = gone
  await tx
    .insertInto('issue_redirect')
    .values({ from_issue_id: id, project_id, short_number, into_issue_id: into.id, at_ms: atMs })
    .execute()
  await tx.deleteFrom('issue').where('id', '=', gone.id).execute()
  await writeAudit(tx, reprocessing, gone, into, atMs)
  return true
}

/** Those that fix both have their link; what is left stays with the issue. Returns the ids of the others. */
export async function moveCommits(tx: Records, issueId: number, intoId: number): Promise<readonly number[]> {
  const moved = await tx
    .updateTable('issue_commit')
    .set({ issue_id: intoId })
    .where('issue_id', '=', issueId)
    .where('commit_id', 'not in', (eb) =>
      eb.selectFrom('issue_commit as other').select('other.commit_id').where('other.issue_id', '=', intoId),
    )
    .returning('commit_id')
    .execute()
  return moved.map((row) => row.commit_id)
}

/** What both are linked to at a tracker keeps the link of the one that stays. Returns the ids of the others. */
export async function moveTrackerLinks(
  tx: Records,
  issueId: number,
  intoId: number,
): Promise<readonly number[]> {
  const moved = await tx
    .updateTable('tracker_link')
    .set({ issue_id: intoId })
    .where('issue_id', '=', issueId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('tracker_link as other')
            .select('other.id')
            .where('other.issue_id', '=', intoId)
            .whereRef('other.connection_id', '=', 'tracker_link.connection_id')
            .whereRef('other.external_id', '=', 'tracker_link.external_id'),
        ),
      ),
    )
    .returning('id')
    .execute()
  return moved.map((row) => row.id)
}

const readIssue = (tx: Records, id: number) =>
  tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()

/** It may have become part of another meanwhile, and that of a third. */
const whereItLeads = async (tx: Records, issueId: number): Promise<number> =>
  (await mergedInto(tx, [issueId])).get(issueId) ?? issueId

async function writeAudit(
  tx: Records,
  reprocessing: Reprocessing,
  gone: { readonly id: number; readonly project_id: number; readonly short_number: number },
  into: { readonly id: number; readonly short_number: number },
  atMs: number,
): Promise<void> {
  const project = await tx
    .selectFrom('project')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select(['project.slug', 'organization.slug as org'])
    .where('project.id', '=', gone.project_id)
    .executeTakeFirst()
  const shortId = (number: number): string => `${project?.slug.toUpperCase() ?? ''}-${number}`
  const detail = {
    repair: reprocessing.id,
    from: { id: gone.id, shortId: shortId(gone.short_number) },
    into: { id: into.id, shortId: shortId(into.short_number) },
  }
  await tx
    .insertInto('audit_entry')
    .values({
      org_id: reprocessing.org_id,
      actor: reprocessing.actor,
      action: 'issue.merge',
      subject: `${project?.org ?? ''}/${project?.slug ?? ''}`,
      detail: JSON.stringify(detail),
      at_ms: atMs,
    })
    .execute()
}

/** What an issue is once another became part of it. Pure. */
type Issue = Selectable<IssueTable>

/**
 * Counts add up, times widen, releases by their order (`compare`). Of what people decided: unresolved wins, so that nothing is hidden that was to be seen;
 * between resolved and ignored, resolved, because it comes back with its next event.
 */
export function mergedState(issue: Issue, gone: Issue, compare: CompareVersions): Updateable<IssueTable> {
  return {
    event_count: issue.event_count + gone.event_count,
    first_seen_ms: Math.min(issue.first_seen_ms, gone.first_seen_ms),
    last_seen_ms: Math.max(issue.last_seen_ms, gone.last_seen_ms),
    is_unhandled: Math.max(issue.is_unhandled, gone.is_unhandled),
    ...releasesOfIssue(issue, [gone.first_release, gone.last_release], compare),
    ...decisionOf(issue, gone),
  }
}

type State = Pick<Issue, 'status' | 'substatus' | 'resolved_in' | 'resolved_release' | 'regressed_release'>

const STATUS_ORDER = ['unresolved', 'resolved', 'ignored'] as const

export function decisionOf(issue: State, gone: State): State {
  const status = STATUS_ORDER.find((each) => issue.status === each || gone.status === each) ?? issue.status
  if (status !== 'unresolved') return pick(issue.status === status ? issue : gone)
  const open = [issue, gone].filter((each) => each.status === 'unresolved')
  // What came back says more than that it goes on; new is only what is new in both.
  const telling = open.find(({ substatus }) => substatus !== 'new' && substatus !== 'ongoing')
  if (telling) return pick(telling)
  const isNew = open.length === 2 && open.every(({ substatus }) => substatus === 'new')
  return { ...pick(open[0] ?? issue), substatus: isNew ? 'new' : 'ongoing' }
}

const pick = ({ status, substatus, resolved_in, resolved_release, regressed_release }: State): State => ({
  status,
  substatus,
  resolved_in,
  resolved_release,
  regressed_release,
})
