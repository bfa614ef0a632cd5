/** From a grant to the project ids that a query may read: the only way a query gets at ids. */
import type { AnyGrant } from '@sonde/access'
import type { QueryDeps } from './query-deps.ts'

export async function projectIdsOf(
  { records }: Pick<QueryDeps, 'records'>,
  grant: AnyGrant,
): Promise<readonly number[]> {
  if ('projectId' in grant) return [grant.projectId]
  const rows = await records.selectFrom('project').select('id').where('org_id', '=', grant.orgId).execute()
  return rows.map((row) => row.id)
}
