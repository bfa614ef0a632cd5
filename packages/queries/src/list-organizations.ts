import type { OrgScope } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

export type OrganizationRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly createdMs: number
  readonly projectCount: number
}

/** The organisations of these scopes (`access.openOrgs` makes them), in slug order: the first screen after sign-in. */
export async function listOrganizations(
  { records }: Pick<QueryDeps, 'records'>,
  scopes: readonly OrgScope[],
): Promise<readonly OrganizationRow[]> {
  if (scopes.length === 0) return []
  const rows = await records
    .selectFrom('organization')
    .leftJoin('project', 'project.org_id', 'organization.id')
    .select(['organization.id', 'organization.slug', 'organization.name', 'organization.created_ms'])
    .select(({ fn }) => fn.count<number>('project.id').as('project_count'))
    .where(
      'organization.id',
      'in',
      scopes.map((scope) => scope.orgId),
    )
    .groupBy(['organization.id', 'organization.slug', 'organization.name', 'organization.created_ms'])
    .orderBy('organization.slug')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    createdMs: row.created_ms,
    projectCount: row.project_count,
  }))
}
