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
import { type Api, type ApiOptions, orgGrant, pathParam, projectGrant } from '../api-context.ts'
import { limitParam, performanceParams, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'
import { replaySelectorJson } from '../serializers/replay-selector.ts'
import { pageOfSegments, segmentOf } from './replay-routes.ts'

const ORG = '/organizations/:org'
const REPLAY = '/projects/:org/:project/replays/:replay'
const SELECTORS = 20
/** As there: a page shows some dozen issues. */
const MAX_IDS = 100

export function replayUseRoutes(api: Api, { queries, commands, blobs, publicUrl }: ApiOptions): void {
  api.get(`${REPLAY}/clicks`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const replay = await openReplay(queries, grant, pathParam(c, 'replay'))
    if (!replay) return c.notFound()
    const from = segmentOf(c.req.query('cursor') ?? '0')
    const { clicks, next } = await replayClicks({ ...queries, blobs }, grant, {
      replayId: replay.replayId,
      from,
    })
    setLink(c, publicUrl, pageOfSegments(next?.toString()))
    const { clockShiftMs } = replay
    const data = clicks.map(({ nodeId, atMs }) => ({
      node_id: nodeId,
      timestamp: isoDate(atMs + clockShiftMs),
    }))
    return c.json({ data })
  })

  api.get(`${REPLAY}/viewed-by`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const replay = await openReplay(queries, grant, pathParam(c, 'replay'))
    if (!replay) return c.notFound()
    const people = await replayViewers(queries, grant, replay)
    const viewed_by = people.map(({ userId, name, email }) => ({
      type: 'user',
      id: userId,
      name,
      username: email,
      email,
      isActive: true,
    }))
    return c.json({ data: { id: replay.replayId, viewed_by } })
  })

  // Who only reads changes nothing, as with issues.
  api.post(`${REPLAY}/viewed-by`, async (c) => {
    await projectGrant(c, 'event:write')
    const grant = await projectGrant(c, 'event:read')
    const replay = await openReplay(queries, grant, pathParam(c, 'replay'))
    if (!replay) return c.notFound()
    await viewReplay(commands, grant, { replayId: replay.replayId })
    return c.body(null, 204)
  })

  api.get(`${ORG}/replay-selectors`, async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const limit = Math.min(100, Math.max(1, limitParam(c) ?? SELECTORS))
    const offset = segmentOf(c.req.query('cursor') ?? '0')
    const found = await replaySelectors(queries, grant, {
      ...performanceParams(c, queries.clock),
      sort: c.req.query('sort')?.includes('rage') ? 'rage' : 'dead',
      limit: Math.min(100, limit + 1),
      offset,
    })
    setLink(c, publicUrl, pageOfSegments(found.length > limit ? String(offset + limit) : undefined))
    return c.json({ data: found.slice(0, limit).map((row) => replaySelectorJson(row)) })
  })

  // `query=issue.id:[1,2]` or `replay_id:[…]`; with `returnIds` the ids instead of numbers.
  api.get(`${ORG}/replay-count`, async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const { key, ids } = countQuery(c.req.query('query') ?? '')
    const returnIds = c.req.query('returnIds') === 'true'
    if (key === 'replay_id') {
      const kept = await keptReplays(
        queries,
        grant,
        ids.map((id) => id.replaceAll('-', '').toLowerCase()),
      )
      return c.json(Object.fromEntries([...kept].map((id) => [id, returnIds ? [id] : 1])))
    }
    const found = await replaysOfIssues(queries, grant, ids.map(Number))
    return c.json(
      Object.fromEntries(
        [...found].map(([id, replays]) => [String(id), returnIds ? replays : replays.length]),
      ),
    )
  })
}

function countQuery(query: string): { readonly key: string; readonly ids: readonly string[] } {
  const [, key = '', list = ''] = /^(issue\.id|replay_id):(\S[^\n]*)$/.exec(query.trim()) ?? []
  const text = list.startsWith('[') && list.endsWith(']') ? list.slice(1, -1) : list
  const ids = text.split(',').map((id) => id.trim())
  const form = key === 'issue.id' ? /^[1-9]\d{0,14}$/ : /^[0-9a-fA-F-]{32,36}$/
  if (key === '' || ids.length > MAX_IDS || !ids.every((id) => form.test(id)))
    throw new SondeError('invalid', `query is issue.id:[…] or replay_id:[…] with up to ${MAX_IDS} ids`, {
      operation: 'count replays',
      subject: 'query',
    })
  return { key, ids }
}
