/** What a comment would look like, for the field that it is written in. Changes nothing. */
import type { Grant } from '@sonde/access'
import type { CommandDeps } from '../command-deps.ts'
import { MAX_COMMENT_CHARS } from './comments.ts'
import { type CommentNode, parseComment } from './markdown.ts'
import { mentionablesOf } from './mentions.ts'

/** Names mean those whom they would mean if it were written now. What is too long is cut. */
export async function previewComment(
  { records }: Pick<CommandDeps, 'records'>,
  { orgId, projectId }: Grant<'event:write', 'project'>,
  text: string,
): Promise<{ readonly nodes: readonly CommentNode[] }> {
  const known = await mentionablesOf(records, { orgId, projectId })
  const names = new Map([...known].map(([handle, { name }]) => [handle, name]))
  const { nodes } = await parseComment(text.slice(0, MAX_COMMENT_CHARS), names)
  return { nodes }
}
