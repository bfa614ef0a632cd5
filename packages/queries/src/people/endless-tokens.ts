import { endlessTokensSetting } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

/** Whether an owner of one of these organisations allows tokens that do not expire. */
export async function allowsEndlessTokens(
  { records }: Pick<QueryDeps, 'records'>,
  orgIds: readonly number[],
): Promise<boolean> {
  if (orgIds.length === 0) return false
  const row = await records
    .selectFrom('setting')
    .select('value')
    .where('name', 'in', orgIds.map(endlessTokensSetting))
    .executeTakeFirst()
  return row !== undefined
}
