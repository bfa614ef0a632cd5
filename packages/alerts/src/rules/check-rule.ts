/** What the form of a rule cannot tell: that its search can be read, and that whom it names is of the organization. */
import { checkEventSearch, SearchError } from '@sonde/queries'
import type { Records } from '@sonde/stores'
import type { IssueRule } from './rule.ts'

/** Messages by field; none: the rule can be stored. */
export async function problemsOfRule(
  records: Records,
  orgId: number,
  { search, actions }: IssueRule,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const problems: Record<string, string[]> = {}
  try {
    checkEventSearch(search)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    problems['search'] = [error.message]
  }
  const channelIds = actions.flatMap((action) => (action.type === 'channel' ? [action.channelId] : []))
  const userIds = actions.flatMap((action) => (action.type === 'person' ? [action.userId] : []))
  const unknown = [
    ...missing(channelIds, await channelsOf(records, orgId, channelIds)).map(
      (id) => `there is no channel ${id}`,
    ),
    ...missing(userIds, await membersOf(records, orgId, userIds)).map((id) => `${id} is no member`),
  ]
  if (unknown.length > 0) problems['actions'] = unknown
  return problems
}

const missing = <Id>(named: readonly Id[], found: readonly Id[]): Id[] =>
  named.filter((id) => !found.includes(id))

async function channelsOf(records: Records, orgId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('notification_channel')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

async function membersOf(records: Records, orgId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('member')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', 'in', ids)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
