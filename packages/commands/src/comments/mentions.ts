/** Whom the names in a comment mean: people who may see the project, and teams of its organization. */
import { peopleOfProject } from '@sonde/access'
import type { Records } from '@sonde/stores'

export type Mentionable = {
  readonly handle: string
  /** For people: what a comment shows instead. */
  readonly name: string
  readonly userId: string | null
  readonly teamId: number | null
}

/** By handle, in lower case. Whoever shares the name before the `@` of the address is meant by the whole address alone. */
export async function mentionablesOf(
  tx: Records,
  within: { readonly orgId: number; readonly projectId: number },
): Promise<ReadonlyMap<string, Mentionable>> {
  const people = await peopleOfProject(tx, within)
  const teams = await tx
    .selectFrom('team')
    .select(['id', 'slug'])
    .where('org_id', '=', within.orgId)
    .execute()
  const named: Mentionable[] = [
    ...people.map(({ userId, email, name }) => ({
      handle: `@${email.toLowerCase()}`,
      name,
      userId,
      teamId: null,
    })),
    ...people.map(({ userId, handle, name }) => ({ handle, name, userId, teamId: null })),
    ...teams.map(({ id, slug }) => ({ handle: `#${slug}`, name: `#${slug}`, userId: null, teamId: id })),
  ]
  return new Map(named.map((each) => [each.handle, each]))
}

/** Of the mentioned teams only members who may see the project. */
export async function membersOfTeams(
  tx: Records,
  within: { readonly orgId: number; readonly projectId: number },
  teamIds: readonly number[],
): Promise<readonly string[]> {
  if (teamIds.length === 0) return []
  const rows = await tx
    .selectFrom('team_member')
    .select('user_id')
    .where('team_id', 'in', teamIds)
    .distinct()
    .execute()
  const seeing = new Set((await peopleOfProject(tx, within)).map(({ userId }) => userId))
  return rows.map((row) => row.user_id).filter((userId) => seeing.has(userId))
}

const REMOVED = 'someone-removed'

/** What a deleted person was called stands in no comment any more. Before the row of the person goes, in its transaction. */
export async function forgetMentions(tx: Records, userId: string): Promise<void> {
  const rows = await tx
    .selectFrom('comment_mention')
    .innerJoin('issue_comment', 'issue_comment.change_id', 'comment_mention.change_id')
    .select(['issue_comment.change_id', 'issue_comment.body', 'comment_mention.handle'])
    .where('comment_mention.user_id', '=', userId)
    .where('comment_mention.handle', '<>', '')
    .execute()
  for (const [changeId, own] of Map.groupBy(rows, (row) => row.change_id)) {
    const body = own.reduce((text, { handle }) => withoutHandle(text, handle), own[0]?.body ?? '')
    await tx.updateTable('issue_comment').set({ body }).where('change_id', '=', changeId).execute()
  }
}

/** In whichever case it was typed, as a whole name alone. */
function withoutHandle(text: string, handle: string): string {
  const lower = text.toLowerCase()
  let [rest, at] = ['', 0]
  for (let found = lower.indexOf(handle); found >= 0; found = lower.indexOf(handle, at)) {
    const end = found + handle.length
    const isWhole = !/[\w@]/.test(text.charAt(end)) && !/\w/.test(text.charAt(found - 1))
    rest += text.slice(at, found) + (isWhole ? `@${REMOVED}` : text.slice(found, end))
    at = end
  }
  return rest + text.slice(at)
}
