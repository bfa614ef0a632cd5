/**
 * What was deleted within a day: whoever may delete such a thing has it back, or removes it for good before its time.
 * docs/decisions/0088-deleting-hides-for-a-day.md
 */
import { actorOf, type Grant, openDeletedOrganization, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type DeletedKind, withHidden, writeTransaction } from '@sonde/stores'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { restoreEvents } from '../moves/delete-events.ts'
import { doneOr, movesOf } from '../moves/issue-moves.ts'

export type DeletedRef = { readonly id: number }

export type RestoredThing = {
  readonly kind: DeletedKind
  readonly orgSlug: string
  /** Of issues and events, where they are; of a project, where it is. */
  readonly projectSlug: string | undefined
  /** How many issues, events, projects or organizations are there again. */
  readonly count: number
}

type AnyOrgGrant = Grant<'project:delete' | 'event:delete' | 'org:write', 'org' | 'project'>
type Opened = {
  readonly id: number
  readonly kind: DeletedKind
  readonly orgId: number
  readonly orgSlug: string
  readonly projectId: number
  readonly projectSlug: string | undefined
  readonly count: number
}

/**
 * As it was, with everything that belongs to it. An issue that came like a restored one since is merged with it. Throws
 * `SondeError` (`not-found`: nothing such, or its time is over; `forbidden`), `UnavailableError`.
 */
export async function restoreDeleted(
  deps: CommandDeps,
  viewer: Viewer,
  { id }: DeletedRef,
): Promise<RestoredThing> {
  const operation = 'restore what was deleted'
  const line = await openLine(deps, viewer, id)
  const { kind, orgId, orgSlug, projectId, projectSlug } = line
  if (kind === 'events') {
    const grant = await deps.access.openProject(viewer, orgId, projectId, 'event:delete')
    const { events } = await restoreEvents(deps, grant, { deletionId: id })
    return { kind, orgSlug, projectSlug, count: events }
  }
  if (kind === 'issues') {
    const actor = actorOf(viewer)
    const moves = movesOf(deps, operation)
    const done = doneOr(
      operation,
      await moves.restore({ projectId, deletedId: id, actor }, (tx, { issues }, atMs) =>
        writeAudit(tx, {
          orgId,
          viewer,
          atMs,
          action: 'issue.restore',
          subject: `${orgSlug}/${projectSlug}`,
          detail: { count: issues.length, issues: issues.slice(0, 100) },
        }),
      ),
    )
    if (done.alike.length > 0) deps.onMoves?.()
    return { kind, orgSlug, projectSlug, count: done.issues.length }
  }
  const atMs = deps.clock.nowMs()
  await writeTransaction(withHidden(deps.records), async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('recently_deleted')
      .where('id', '=', id)
      .where('purge_ms', '>', atMs)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) === 0) throw notThere(operation, id)
    await writeAudit(tx, { orgId, viewer, atMs, ...auditOf(line, 'restore') })
  })
  return { kind, orgSlug, projectSlug, count: line.count }
}

/**
 * From now on it cannot be restored; the sweep removes it at once (`startDeletions`). Idempotent. Throws `SondeError`
 * (`not-found`, `forbidden`).
 */
export async function purgeDeleted(
  deps: CommandDeps,
  viewer: Viewer,
  { id }: DeletedRef,
): Promise<Omit<RestoredThing, 'count'>> {
  const line = await openLine(deps, viewer, id)
  const { kind, orgId, orgSlug, projectSlug } = line
  const atMs = deps.clock.nowMs()
  await writeTransaction(withHidden(deps.records), async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('recently_deleted')
      .set({ purge_ms: atMs })
      .where('id', '=', id)
      .where('purge_ms', '>', atMs)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) > 0)
      await writeAudit(tx, { orgId, viewer, atMs, ...auditOf(line, 'purge-asked') })
  })
  deps.onDeletion?.()
  return { kind, orgSlug, projectSlug }
}

function auditOf({ kind, orgSlug, projectSlug, projectId, count }: Opened, does: 'restore' | 'purge-asked') {
  if (kind === 'organization') return { action: `organization.${does}`, subject: orgSlug } as const
  const subject = `${orgSlug}/${projectSlug}`
  if (kind === 'project') return { action: `project.${does}`, subject, detail: { projectId } } as const
  const action = kind === 'events' ? (`event.${does}` as const) : (`issue.${does}` as const)
  return { action, subject, detail: { count } }
}

/** The line, for a viewer who may delete such a thing. */
async function openLine(deps: CommandDeps, viewer: Viewer, id: number): Promise<Opened> {
  const operation = 'open what was deleted'
  const line = Number.isSafeInteger(id)
    ? await withHidden(deps.records)
        .selectFrom('recently_deleted as line')
        .leftJoin('project', 'project.id', 'line.project_id')
        .select(['line.id', 'line.kind', 'line.org_id', 'line.project_id', 'line.count', 'project.slug'])
        .where('line.id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!line || isElsewhere(viewer, line.org_id)) throw notThere(operation, id)
  const { kind, org_id: orgId, count } = line
  const projectId = line.project_id ?? 0
  const grant = await grantFor(deps, viewer, { kind, orgId, projectId })
  return { id, kind, orgId, orgSlug: grant.orgSlug, projectId, projectSlug: line.slug ?? undefined, count }
}

async function grantFor(
  { access, records }: CommandDeps,
  viewer: Viewer,
  { kind, orgId, projectId }: Pick<Opened, 'kind' | 'orgId' | 'projectId'>,
): Promise<AnyOrgGrant> {
  if (kind === 'organization') return openDeletedOrganization(records, viewer, { orgId })
  if (kind === 'issues' || kind === 'events')
    return access.openProject(viewer, orgId, projectId, 'event:delete')
  const grant = await access.openOrg(viewer, orgId, 'project:delete')
  // Of somebody whose teams limit them to projects a deleted one is none.
  if (grant.projects && !grant.projects.includes(projectId))
    throw new SondeError('forbidden', 'this project is not among yours', { operation: 'open a project' })
  return grant
}

/** A token is told nothing of other organizations, also not that something is theirs. */
const isElsewhere = (viewer: Viewer, orgId: number): boolean =>
  viewer.kind === 'token' && viewer.orgId !== undefined && viewer.orgId !== orgId

const notThere = (operation: string, id: number): SondeError =>
  new SondeError('not-found', 'there is nothing such that could be restored', {
    operation,
    subject: String(id),
    hint: 'what was deleted can be restored for a day',
  })
