import type { Grant } from '@sonde/access'
import { sqlConsoleSetting } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

/** Whether statements may be run in this organisation: yes, until an owner switches it off. */
export async function isSqlConsoleOn(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:read', 'org'>,
): Promise<boolean> {
  const off = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', sqlConsoleSetting(orgId))
    .executeTakeFirst()
  return off === undefined
}
