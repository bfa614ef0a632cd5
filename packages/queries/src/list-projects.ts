import type { Grant } from '@sonde/access'
import type { ProjectTable, RecordsSchema } from '@sonde/stores'
import type { Kysely, Selectable } from 'kysely'
import type { QueryDeps } from './query-deps.ts'

export type ProjectRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly createdMs: number
  /** Undefined: it waits for its first event. */
  readonly firstEventMs: number | undefined
  readonly unresolvedCount: number
}

/** The projects screen: all projects of an organisation in slug order (or the one of a project grant). */
export async function listProjects(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'org:read' | 'event:read' | 'project:read', 'org' | 'project'>,
): Promise<readonly ProjectRow[]> {
  const rows = await selectProjects(records)
    .where('project.org_id', '=', grant.orgId)
    .$if('projectId' in grant, (query) =>
      query.where('project.id', '=', 'projectId' in grant ? grant.projectId : 0),
    )
    .orderBy('project.slug')
    .execute()
  return rows.map((row) => projectRow(row))
}

/** Counting walks one index range a project (`issue_by_status`): 100,000 issues cost a few milliseconds. */
const selectProjects = (records: Kysely<RecordsSchema>) =>
  records
    .selectFrom('project')
    .selectAll('project')
    .select((eb) =>
      eb
        .selectFrom('issue')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('issue.project_id', '=', 'project.id')
        .where('issue.status', '=', 'unresolved')
        .as('unresolved_count'),
    )

const projectRow = (row: Selectable<ProjectTable> & { unresolved_count: number | null }): ProjectRow => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  createdMs: row.created_ms,
  firstEventMs: row.first_event_ms ?? undefined,
  unresolvedCount: row.unresolved_count ?? 0,
})
