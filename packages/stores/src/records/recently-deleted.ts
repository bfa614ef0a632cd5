/** Hides what people delete, for a day, and takes issues away for good. Each is called in a transaction of records with all rows. */
import type { Insertable } from 'kysely'
import type { RecentlyDeletedTable } from './recently-deleted-tables.ts'
import type { Records } from './schema.ts'

/** So long what was deleted can be restored. */
export const RESTORABLE_MS = 86_400_000

// SQLite takes 32,766 parameters in one statement.
const IDS_AT_ONCE = 5_000

type Who = { readonly orgId: number; readonly actor: string; readonly atMs: number }

async function note(
  tx: Records,
  { orgId, actor, atMs }: Who,
  what: Pick<Insertable<RecentlyDeletedTable>, 'kind' | 'project_id' | 'count'>,
): Promise<number> {
  const { id } = await tx
    .insertInto('recently_deleted')
    .values({ ...what, org_id: orgId, actor, deleted_ms: atMs, purge_ms: atMs + RESTORABLE_MS })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * `issueIds`: with all that were merged into them; `count`: without. Their fingerprints lead nowhere from now on: nothing of the
 * project may be in flight. Returns the id of the line in the list, undefined when the project is gone.
 */
export async function hideIssues(
  tx: Records,
  who: { readonly actor: string; readonly atMs: number },
  {
    projectId,
    issueIds,
    count,
  }: { readonly projectId: number; readonly issueIds: readonly number[]; readonly count: number },
): Promise<number | undefined> {
  const orgId = await orgOf(tx, projectId)
  if (orgId === undefined) return undefined
  const id = await note(tx, { ...who, orgId }, { kind: 'issues', project_id: projectId, count })
  for (let at = 0; at < issueIds.length; at += IDS_AT_ONCE) {
    const some = issueIds.slice(at, at + IDS_AT_ONCE)
    await tx
      .insertInto('hidden_issue')
      .values(some.map((issue_id) => ({ issue_id, deleted_id: id })))
      .execute()
    await tx
      .insertInto('hidden_hash')
      .columns(['issue_id', 'hash', 'project_id', 'deleted_id'])
      .expression((eb) =>
        eb
          .selectFrom('issue_hash')
          .select(['issue_id', 'hash', 'project_id', eb.lit(id).as('deleted_id')])
          .where('issue_id', 'in', some),
      )
      .execute()
    await tx.deleteFrom('issue_hash').where('issue_id', 'in', some).execute()
  }
  return id
}

/**
 * Their rows follow (`event_deletion`), and their issues count less by then. Returns the id of the line in the list, undefined when
 * the project is gone.
 */
export async function hideEvents(
  tx: Records,
  who: { readonly actor: string; readonly atMs: number },
  what: {
    readonly projectId: number
    readonly issueIds: readonly number[]
    readonly count: number
    /** JSON, see `EventDeletionTable`. */
    readonly items: string
  },
): Promise<number | undefined> {
  const { projectId, issueIds, count, items } = what
  const orgId = await orgOf(tx, projectId)
  if (orgId === undefined) return undefined
  const id = await note(tx, { ...who, orgId }, { kind: 'events', project_id: projectId, count })
  await tx
    .insertInto('event_deletion')
    .values({ id, project_id: projectId, issues: JSON.stringify(issueIds), state: 'hides', items })
    .execute()
  return id
}

async function orgOf(tx: Records, projectId: number): Promise<number | undefined> {
  const row = await tx.selectFrom('project').select('org_id').where('id', '=', projectId).executeTakeFirst()
  return row?.org_id
}

/** Undefined: it is hidden already. */
export async function hideProject(tx: Records, who: Who, projectId: number): Promise<number | undefined> {
  const hidden = await tx
    .selectFrom('hidden_project')
    .select('project_id')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (hidden) return undefined
  const id = await note(tx, who, { kind: 'project', project_id: projectId, count: 1 })
  await tx.insertInto('hidden_project').values({ project_id: projectId, deleted_id: id }).execute()
  return id
}

/** With its projects; those that were deleted before keep their own time. Undefined: it is hidden already. */
export async function hideOrganization(tx: Records, who: Who): Promise<number | undefined> {
  const { orgId } = who
  const hidden = await tx
    .selectFrom('hidden_organization')
    .select('org_id')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (hidden) return undefined
  const projects = await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'not in', (eb) => eb.selectFrom('hidden_project').select('project_id'))
    .execute()
  const id = await note(tx, who, { kind: 'organization', project_id: null, count: projects.length })
  await tx.insertInto('hidden_organization').values({ org_id: orgId, deleted_id: id }).execute()
  for (const project of projects)
    await tx.insertInto('hidden_project').values({ project_id: project.id, deleted_id: id }).execute()
  return id
}

/** All issues that are hidden anywhere. */
export async function hiddenIssues(records: Records): Promise<readonly number[]> {
  const rows = await records.selectFrom('hidden_issue').select('issue_id').execute()
  return rows.map((row) => row.issue_id)
}

/** Issues go from the records for good; what lies elsewhere of them follows (`issue_deletion`). Idempotent. */
export async function purgeIssues(tx: Records, deletedId: number, atMs: number): Promise<void> {
  const rows = await tx
    .selectFrom('hidden_issue')
    .innerJoin('issue', 'issue.id', 'hidden_issue.issue_id')
    .select(['issue.id', 'issue.project_id'])
    .where('deleted_id', '=', deletedId)
    .execute()
  for (const [project_id, own] of Map.groupBy(rows, (row) => row.project_id)) {
    const ids = own.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
      await tx
        .deleteFrom('issue')
        .where('id', 'in', ids.slice(at, at + IDS_AT_ONCE))
        .execute()
    await tx
      .insertInto('issue_deletion')
      .values({ project_id, issues: JSON.stringify(ids), requested_ms: atMs, finished_ms: null })
      .execute()
  }
  await tx.deleteFrom('recently_deleted').where('id', '=', deletedId).execute()
}
