/** From a scope to the project ids that a query may read: the only way a query gets at ids. */
import type { OrgScope, ProjectScope } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

export type AnyScope = OrgScope | ProjectScope

export async function projectIdsOf(
  { records }: Pick<QueryDeps, 'records'>,
  scope: AnyScope,
): Promise<readonly number[]> {
  if ('projectId' in scope) return [scope.projectId]
  const rows = await records.selectFrom('project').select('id').where('org_id', '=', scope.orgId).execute()
  return rows.map((row) => row.id)
}
