/**
 * What people wrote about an issue, and what was done about it. `comments` and `notes` are the same, as in Sentry. Reactions are
 * ours: Sentry has none.
 */
import { addComment, deleteComment, editComment, InvalidInput, reactToComment } from '@sonde/commands'
import { type ActivityInput, issueActivity, parseCursor, SearchError } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { limitParam, setLink } from '../request-params.ts'
import { activityJson } from '../serializers/activity.ts'
import { openIssue } from './issue-routes.ts'

const SHOWN = 100

export function commentRoutes(api: Api, options: ApiOptions): void {
  const { commands, queries, publicUrl } = options
  const open = openIssue(options)

  /** A page of it, by a cursor of keys: it stays put while more is done. */
  const list = async (c: ApiContext, onlyComments: boolean) => {
    const { grant, issue } = await open(c, 'event:read')
    const text = c.req.query('cursor')
    const cursor = parseCursor(text)
    if (!cursor) throw new SearchError(`cursor "${text}" is not one of ours`, 0)
    const input: ActivityInput = {
      limit: Math.min(SHOWN, Math.max(1, limitParam(c) ?? SHOWN)),
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

  for (const issue of ['/organizations/:org/issues/:issue', '/issues/:issue']) {
    api.get(`${issue}/activities`, async (c) =>
      c.json({ activity: (await list(c, false)).map((each) => activityJson(each)) }),
    )
    for (const base of [`${issue}/comments`, `${issue}/notes`]) {
      api.get(base, async (c) => c.json((await list(c, true)).map((each) => activityJson(each))))

      api.post(base, async (c) => {
        const found = await open(c, 'event:write')
        const body = await jsonBody(c)
        const { id } = await addComment(commands, found.grant, {
          issueId: found.issue.id,
          text: body.text('text') ?? '',
          mentions: mentionsIn(body.value('mentions')),
        })
        return c.json(await one(c, id), 201)
      })

      api.put(`${base}/:comment`, async (c) => {
        const found = await open(c, 'event:write')
        const body = await jsonBody(c)
        const commentId = idParam(c)
        const text = body.text('text') ?? ''
        await editComment(commands, found.grant, { issueId: found.issue.id, commentId, text })
        return c.json(await one(c, commentId))
      })

      api.delete(`${base}/:comment`, async (c) => {
        const found = await open(c, 'event:write')
        await deleteComment(commands, found.grant, { issueId: found.issue.id, commentId: idParam(c) })
        return c.body(null, 204)
      })

      for (const [method, isOn] of [
        ['put', true],
        ['delete', false],
      ] as const)
        api[method](`${base}/:comment/reactions/:reaction`, async (c) => {
          const found = await open(c, 'event:write')
          const commentId = idParam(c)
          await reactToComment(commands, found.grant, {
            issueId: found.issue.id,
            commentId,
            reaction: pathParam(c, 'reaction') as '👍',
            isOn,
          })
          return c.json(await one(c, commentId))
        })
    }
  }
}

/** Other numbers than ids are of no comment. */
const idParam = (c: ApiContext): number => {
  const text = pathParam(c, 'comment')
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER
}

/** `user:1`, `team:2`, and numbers as Sentry's older clients send: those are of users. */
function mentionsIn(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string' && typeof each !== 'number'))
    throw new InvalidInput('write a comment', { mentions: ['is a list of user:ID and team:ID'] })
  return value.map((each) => (/^(?:user|team):/.test(String(each)) ? String(each) : `user:${String(each)}`))
}
