/** Whom a comment on an issue can mention: what is offered while a name is typed. */
import { type Grant, peopleOfProject } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type MentionChoice = {
  /** What is put into the text: `@ada`, `#checkout`. */
  readonly handle: string
  readonly name: string
  /** A person's address. */
  readonly hint: string
}

const SHOWN = 8

/** `typed` begins with `@` (people) or `#` (teams). Those whose name begins so come first. */
export async function mentionable(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projectId }: Grant<'event:read', 'project'>,
  typed: string,
): Promise<readonly MentionChoice[]> {
  const text = typed.slice(1).toLowerCase()
  const choices: readonly MentionChoice[] = typed.startsWith('#')
    ? (
        await records
          .selectFrom('team')
          .select(['slug', 'name'])
          .where('org_id', '=', orgId)
          .orderBy('slug')
          .execute()
      ).map(({ slug, name }) => ({ handle: `#${slug}`, name, hint: '' }))
    : (await peopleOfProject(records, { orgId, projectId })).map(({ handle, name, email }) => ({
        handle,
        name,
        hint: email,
      }))
  const rank = ({ handle, name, hint }: MentionChoice): number => {
    const texts = [handle.slice(1), name.toLowerCase(), hint.toLowerCase()]
    if (texts.some((each) => each.startsWith(text))) return 0
    return texts.some((each) => each.includes(text)) ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, at: rank(choice) }))
    .filter(({ at }) => at < 2)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, SHOWN)
    .map(({ choice }) => choice)
}
