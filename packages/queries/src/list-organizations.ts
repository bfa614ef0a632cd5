import type { Grant } from '@sonde/access'
import type { QueryDeps } from './query-deps.ts'

export type OrganizationRow = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly createdMs: number
  readonly projectCount: number
}

/** The organisations of these grants (`access.openOrgs` makes them), in slug order: the first screen after sign-in. */
export async function listOrganizations(
  { records }: Pick<QueryDeps, 'records'>,
  grants: readonly Grant<'org:read', 'org'>[],
): Promise<readonly OrganizationRow[]> {
  if (grants.length === 0) return []
  const rows = await records
    .selectFrom('organization')
    .leftJoin('project', 'project.org_id', 'organization.id')
    .select(['organization.id', 'organization.slug', 'organization.name', 'organization.created_ms'])
    .select(({ fn }) => fn.count<number>('project.id').as('project_count'))
    .where(
      'organization.id',
      'in',
      grants.map((grant) => grant.orgId),
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
