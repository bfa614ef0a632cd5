/** What is asked about replays beside themselves: clicks, elements, who saw them, how many show an issue. */
import { SondeError } from '@sonde/base'
import { viewReplay } from '@sonde/commands'
import {
  keptReplays,
  openReplay,
  replayClicks,
  replaySelectors,
  replaysOfIssues,
  replayViewers,
} from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, notFound, projectGrant } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setLink } from '../pages.ts'
import { PERFORMANCE, performanceOf, text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { ReplaySelector, replaySelectorJson } from '../serializers/replay-selector.ts'
import { pageOfSegments, segmentOf } from './replay-routes.ts'

const ORG = '/organizations/:org'
const REPLAY = '/projects/:org/:project/replays/:replay'
const SELECTORS = 20
/** As there: a page shows some dozen issues. */
const MAX_IDS = 100

const reads = { tag: 'Replays', permission: 'event:read' } as const

const Viewer = z.object({
  type: z.literal('user'),
  id: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  isActive: z.boolean(),
})

export function replayUseRoutes(api: Api, { queries, commands, blobs, publicUrl }: ApiOptions): void {
  api.get(
    `${REPLAY}/clicks`,
    {
      ...reads,
      id: 'listReplayClicks',
      summary: 'List the clicks of a replay',
      pages: true,
      answer: z.object({ data: z.array(z.object({ node_id: z.int(), timestamp: Time })) }),
    },
    async ({ c, grant, params, page: { cursor = '0' } }) => {
      const replay = await openReplay(queries, grant, params.replay)
      if (!replay) return undefined
      const { replayId, clockShiftMs } = replay
      const from = segmentOf(cursor)
      const { clicks, next } = await replayClicks({ ...queries, blobs }, grant, { replayId, from })
      setLink(c, publicUrl, pageOfSegments(next?.toString()))
      return {
        data: clicks.map(({ nodeId, atMs }) => ({
          node_id: nodeId,
          timestamp: isoDate(atMs + clockShiftMs),
        })),
      }
    },
  )

  api.get(
    `${REPLAY}/viewed-by`,
    {
      ...reads,
      id: 'listReplayViewers',
      summary: 'List who saw a replay',
      answer: z.object({ data: z.object({ id: z.string(), viewed_by: z.array(Viewer) }) }),
    },
    async ({ grant, params }) => {
      const replay = await openReplay(queries, grant, params.replay)
      if (!replay) return undefined
      const people = await replayViewers(queries, grant, replay)
      const viewed_by = people.map(({ userId, name, email }) => ({
        type: 'user' as const,
        id: userId,
        name,
        username: email,
        email,
        isActive: true,
      }))
      return { data: { id: replay.replayId, viewed_by } }
    },
  )

  api.post(
    `${REPLAY}/viewed-by`,
    {
      id: 'viewReplay',
      summary: 'Note that the caller saw a replay',
      tag: 'Replays',
      // Who only reads changes nothing, as with issues.
      permission: 'event:write',
    },
    async ({ c, params }) => {
      const grant = await projectGrant(c, 'event:read')
      const replay = await openReplay(queries, grant, params.replay)
      if (!replay) throw notFound('view a replay')
      await viewReplay(commands, grant, { replayId: replay.replayId })
    },
  )

  api.get(
    `${ORG}/replay-selectors`,
    {
      ...reads,
      id: 'listReplaySelectors',
      summary: 'List elements with dead and rage clicks',
      query: z.object({
        ...PERFORMANCE,
        sort: text('With `rage` in it by rage clicks, else by dead clicks.'),
      }),
      pages: true,
      answer: z.object({ data: z.array(ReplaySelector) }),
    },
    async ({ c, grant, query, page }) => {
      const limit = Math.min(100, Math.max(1, page.limit ?? SELECTORS))
      const offset = segmentOf(page.cursor ?? '0')
      const found = await replaySelectors(queries, grant, {
        ...performanceOf(query, queries.clock),
        sort: query.sort?.includes('rage') ? 'rage' : 'dead',
        limit: Math.min(100, limit + 1),
        offset,
      })
      setLink(c, publicUrl, pageOfSegments(found.length > limit ? String(offset + limit) : undefined))
      return { data: found.slice(0, limit).map(replaySelectorJson) }
    },
  )

  api.get(
    `${ORG}/replay-count`,
    {
      ...reads,
      id: 'countReplays',
      summary: 'Count replays of issues, or look which replays there are',
      query: z.object({
        query: text('`issue.id:[1,2]` or `replay_id:[…]`, with up to 100 ids.'),
        returnIds: text('`true`: ids instead of numbers.'),
      }),
      answer: z
        .record(z.string(), z.union([z.int(), z.array(z.string())]))
        .meta({ description: 'By id of the issue or replay; what has none is absent.' }),
    },
    async ({ grant, query: asked }) => {
      const { key, ids } = countQuery(asked.query ?? '')
      const returnIds = asked.returnIds === 'true'
      if (key === 'replay_id') {
        const plain = ids.map((id) => id.replaceAll('-', '').toLowerCase())
        const kept = await keptReplays(queries, grant, plain)
        return Object.fromEntries([...kept].map((id) => [id, returnIds ? [id] : 1]))
      }
      const found = await replaysOfIssues(queries, grant, ids.map(Number))
      return Object.fromEntries(
        [...found].map(([id, replays]) => [String(id), returnIds ? replays : replays.length]),
      )
    },
  )
}

function countQuery(query: string): { readonly key: string; readonly ids: readonly string[] } {
  const [, key = '', list = ''] = /^(issue\.id|replay_id):(\S[^\n]*)$/.exec(query.trim()) ?? []
  const items = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list
  const ids = items.split(',').map((id) => id.trim())
  const form = key === 'issue.id' ? /^[1-9]\d{0,14}$/ : /^[0-9a-fA-F-]{32,36}$/
  if (key === '' || ids.length > MAX_IDS || !ids.every((id) => form.test(id)))
    throw new SondeError('invalid', `query is issue.id:[…] or replay_id:[…] with up to ${MAX_IDS} ids`, {
      operation: 'count replays',
      subject: 'query',
    })
  return { key, ids }
}
