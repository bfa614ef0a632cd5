/**
 * What people wrote about an issue, and what was done about it. `comments` and `notes` are the same, as in Sentry. Reactions are
 * ours: Sentry has none.
 */
import { addComment, deleteComment, editComment, reactToComment } from '@sonde/commands'
import { type ActivityInput, issueActivity, parseCursor, SearchError } from '@sonde/queries'
import { z } from 'zod'
import type { ApiContext, ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setLink } from '../pages.ts'
import type { PageInput } from '../query-schemas.ts'
import { activityJson } from '../serializers/activity.ts'
import { Activity } from '../serializers/issue.ts'
import { ISSUE_PATHS, openIssue } from './issue-routes.ts'

const SHOWN = 100

export function commentRoutes(api: Api, options: ApiOptions): void {
  const { commands, queries, publicUrl } = options
  const open = openIssue(options)

  /** A page of it, by a cursor of keys: it stays put while more is done. */
  const list = async (c: ApiContext, page: PageInput, onlyComments: boolean) => {
    const { grant, issue } = await open(c, 'event:read')
    const cursor = parseCursor(page.cursor)
    if (!cursor) throw new SearchError(`cursor "${page.cursor}" is not one of ours`, 0)
    const input: ActivityInput = {
      limit: Math.min(SHOWN, Math.max(1, page.limit ?? SHOWN)),
      onlyComments,
      ...(cursor.kind === 'key' && { fromId: cursor.id }),
    }
    const { activity, olderFrom } = await issueActivity(queries, grant, issue, input)
    setLink(c, publicUrl, {
      previous: { cursor: '0:0:1', hasResults: false },
      next: { cursor: `1:${olderFrom ?? 0}:0`, hasResults: olderFrom !== undefined },
    })
    return activity
  }
  const one = async (c: ApiContext, id: number) => {
    const { grant, issue } = await open(c, 'event:read')
    const input = { fromId: id, limit: 1, onlyComments: true }
    const [found] = (await issueActivity(queries, grant, issue, input)).activity
    return found?.id === id ? activityJson(found) : undefined
  }

  const common = { tag: 'Comments', opens: 'event:write' } as const
  const reads = { tag: 'Comments', opens: 'event:read' } as const
  for (const issue of ISSUE_PATHS) {
    api.get(
      `${issue}/activities`,
      {
        ...reads,
        id: 'listActivities',
        summary: 'List what was done at an issue',
        pages: true,
        answer: z.object({ activity: z.array(Activity) }),
      },
      async ({ c, page }) => ({ activity: (await list(c, page, false)).map(activityJson) }),
    )
    for (const base of [`${issue}/comments`, `${issue}/notes`] as const) {
      const named = (id: string) => (base.endsWith('notes') ? id.replace('Comment', 'Note') : id)

      api.get(
        base,
        {
          ...reads,
          id: named('listComments'),
          summary: 'List the comments of an issue',
          pages: true,
          answer: z.array(Activity),
        },
        async ({ c, page }) => (await list(c, page, true)).map(activityJson),
      )

      api.post(
        base,
        {
          ...common,
          id: named('addComment'),
          summary: 'Write a comment',
          body: z.object({
            text: z.string().default(''),
            mentions: z
              .array(z.union([z.string(), z.number()], MENTIONS), MENTIONS)
              .default([])
              .meta({ description: '`user:1`, `team:2`; numbers are of users.' }),
          }),
          answer: Activity,
          status: 201,
        },
        async ({ c, body: { text, mentions } }) => {
          const found = await open(c, 'event:write')
          const { id } = await addComment(commands, found.grant, {
            issueId: found.issue.id,
            text,
            mentions: mentions.map(mentionOf),
          })
          return one(c, id)
        },
      )

      api.put(
        `${base}/:comment`,
        {
          ...common,
          id: named('editComment'),
          summary: 'Change a comment of one’s own',
          body: z.object({ text: z.string().default('') }),
          answer: Activity,
        },
        async ({ c, params, body: { text } }) => {
          const found = await open(c, 'event:write')
          const commentId = idOf(params.comment)
          await editComment(commands, found.grant, { issueId: found.issue.id, commentId, text })
          return one(c, commentId)
        },
      )

      api.delete(
        `${base}/:comment`,
        { ...common, id: named('deleteComment'), summary: 'Delete a comment of one’s own' },
        async ({ c, params }) => {
          const found = await open(c, 'event:write')
          await deleteComment(commands, found.grant, {
            issueId: found.issue.id,
            commentId: idOf(params.comment),
          })
        },
      )

      for (const [method, isOn] of [
        ['put', true],
        ['delete', false],
      ] as const)
        api[method](
          `${base}/:comment/reactions/:reaction`,
          {
            ...common,
            id: named(isOn ? 'addCommentReaction' : 'removeCommentReaction'),
            summary: isOn ? 'React to a comment' : 'Take a reaction back',
            answer: Activity,
          },
          async ({ c, params }) => {
            const found = await open(c, 'event:write')
            const commentId = idOf(params.comment)
            await reactToComment(commands, found.grant, {
              issueId: found.issue.id,
              commentId,
              reaction: params.reaction as '👍',
              isOn,
            })
            return one(c, commentId)
          },
        )
    }
  }
}

/** Other numbers than ids are of no comment. */
const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER)

const MENTIONS = 'is a list of user:ID and team:ID'

/** Numbers, as Sentry's older clients send them, are of users. */
const mentionOf = (given: string | number): string =>
  /^(?:user|team):/.test(String(given)) ? String(given) : `user:${given}`
