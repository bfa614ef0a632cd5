/** The activity of an issue as its screens show it: words and comments are made here, so browsers have no Markdown to read. */
import { type Grant, mayAlso } from '@sonde/access'
import { type CommentNode, parseComment } from '@sonde/commands'
import { type ActivityInput, type IssueActivity, issueActivity, type IssueRow } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { activityWords } from './activity-words.server.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

/** Text on a page that is mostly about something else; more of it is a press away. */
const LONG_CHARS = 600
const LONG_LINES = 8

export async function loadActivity(
  { context, params: { org, project } }: Args,
  grant: Grant<'event:read', 'project'>,
  issue: Pick<IssueRow, 'id'>,
  input: ActivityInput = {},
) {
  const { activity, commits, olderFrom } = await issueActivity(context.queries, grant, issue, input)
  const [mayWork, mayDeleteAll] = [mayAlso(grant, 'event:write'), mayAlso(grant, 'event:delete')]
  return {
    commits,
    olderFrom,
    mayComment: mayWork,
    entries: await Promise.all(
      activity.map(
        async ({ id, kind, atMs, actor, by, isFromTracker, commit, detail, comment, mergedFrom }) => ({
          id,
          atMs,
          // The words name the rule.
          by: kind === 'notified' ? '' : by,
          /** Whose initials stand beside it; undefined: no person did it. */
          userId: actor.startsWith('user:') ? actor.slice(5) : undefined,
          isFromTracker,
          commit,
          words: activityWords({ kind, atMs, actor, isFromTracker, detail }, { org, project }),
          mergedFrom,
          comment: comment && (await shownComment(comment, { mayWork, mayDeleteAll })),
        }),
      ),
    ),
  }
}

type May = { readonly mayWork: boolean; readonly mayDeleteAll: boolean }

async function shownComment(
  { body, editedMs, isOwn, mentions, reactions }: NonNullable<IssueActivity['comment']>,
  { mayWork, mayDeleteAll }: May,
) {
  const names = new Map(mentions.map(({ handle, name }) => [handle, name]))
  const { nodes } = await parseComment(body, names)
  const mine = mentions.filter(({ isMe }) => isMe).map(({ handle }) => handle)
  return {
    nodes: nodes as CommentNode[],
    /** As it was typed, for who may edit it. */
    body: isOwn && mayWork ? body : undefined,
    /** Handles that mean who looks at it. */
    mine,
    editedMs,
    isLong: body.length > LONG_CHARS || body.split('\n', LONG_LINES + 1).length > LONG_LINES,
    reactions,
    mayReact: mayWork,
    mayEdit: isOwn && mayWork,
    mayDelete: (isOwn && mayWork) || mayDeleteAll,
  }
}
