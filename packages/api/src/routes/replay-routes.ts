/** Session replays as Sentry's public API has them: https://docs.sentry.io/api/replays/ */
import type { Grant } from '@sonde/access'
import { deleteReplay } from '@sonde/commands'
import {
  listReplays,
  openReplay,
  fileGone,
  openReplayVideo,
  type Replay,
  readRecordingPage,
  replayIdOf,
  replaySort,
  replayVideoAnswer,
  type ReplaySort,
  SearchError,
  viewedReplays,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { limitParam, performanceParams, projectIdsParam, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

const ORG = '/organizations/:org/replays'
const PROJECT = '/projects/:org/:project/replays'

/** Those of Sentry's that are ours too; the others are the newest first. */
const SORTS: Readonly<Record<string, ReplaySort>> = {
  '-started_at': 'newest',
  '-count_errors': 'errors',
  '-duration': 'longest',
  '-count_rage_clicks': 'rage',
  '-activity': 'activity',
}

export function replayRoutes(api: Api, { queries, commands, blobs, publicUrl }: ApiOptions): void {
  const detail = async (c: ApiContext, grant: Grant<'event:read', 'org' | 'project'>): Promise<Response> => {
    const replay = await openReplay(queries, grant, pathParam(c, 'replay'))
    if (!replay) return c.notFound()
    return c.json({ data: replayJson(replay, await viewedReplays(queries, grant, [replay.replayId])) })
  }

  api.get(ORG, async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const ids = projectIdsParam(c)
    const page = await listReplays(queries, grant, {
      ...performanceParams(c, queries.clock),
      query: withProjects(c.req.query('query') ?? '', ids),
      sort: SORTS[c.req.query('sort') ?? ''] ?? replaySort(c.req.query('sort')),
      limit: limitParam(c),
      cursor: c.req.query('cursor'),
    })
    setLink(c, publicUrl, pageOfSegments(page.next))
    const viewed = await viewedReplays(
      queries,
      grant,
      page.replays.map(({ replayId }) => replayId),
    )
    return c.json({ data: page.replays.map((replay) => replayJson(replay, viewed)) })
  })

  api.get(`${ORG}/:replay`, async (c) => {
    return await detail(c, await orgGrant(c, 'event:read'))
  })

  api.get(`${PROJECT}/:replay`, async (c) => {
    return await detail(c, await projectGrant(c, 'event:read'))
  })

  api.delete(`${PROJECT}/:replay`, async (c) => {
    const grant = await projectGrant(c, 'event:delete')
    const replayId = replayIdOf(pathParam(c, 'replay'))
    if (replayId === undefined) return c.notFound()
    await deleteReplay(commands, grant, { replayId })
    return c.body(null, 204)
  })

  // A list of lists: the events of each segment.
  api.get(`${PROJECT}/:replay/recording-segments`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const from = segmentOf(c.req.query('cursor') ?? '0')
    const page = await readRecordingPage({ ...queries, blobs }, grant, {
      replayId: pathParam(c, 'replay'),
      from,
      ...limited(c),
    })
    setLink(c, publicUrl, pageOfSegments(page.next?.toString()))
    // As it is stored: to read it only to write it again would cost seconds.
    const body = `[${page.segments.map(({ events }) => events).join(',')}]`
    return c.body(body, 200, { 'content-type': 'application/json' })
  })

  api.get(`${PROJECT}/:replay/recording-segments/:segment`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const from = segmentOf(pathParam(c, 'segment'))
    const replayId = replayIdOf(pathParam(c, 'replay'))
    if (replayId === undefined) return c.notFound()
    const page = await readRecordingPage({ ...queries, blobs }, grant, { replayId, from, limit: 1 })
    if (page.unreadable[0] === from) throw fileGone('missing or damaged', { blob: `segment ${from}` })
    const [segment] = page.segments
    if (segment?.id !== from) return c.notFound()
    const body = `{"data":{"replayId":"${replayId}","segmentId":${from},"projectId":"${grant.projectId}","events":${segment.events}}}`
    return c.body(body, 200, { 'content-type': 'application/json' })
  })

  // Of mobile SDKs.
  api.get(`${PROJECT}/:replay/videos/:segment`, async (c) => {
    const grant = await projectGrant(c, 'event:read')
    const segment = segmentOf(pathParam(c, 'segment'))
    const found = { replayId: pathParam(c, 'replay'), segment }
    const video = await openReplayVideo({ ...queries, blobs }, grant, found)
    return video ? replayVideoAnswer(video, c.req.header('range')) : c.notFound()
  })
}

/** `project=…` of the request as a term of the search; the grant alone says which may be read. */
const withProjects = (query: string, ids: readonly number[]): string =>
  ids.length === 0 ? query : `${query} project.id:[${ids.join(',')}]`.trim()

const limited = (c: ApiContext): { readonly limit?: number } => {
  const limit = limitParam(c)
  return limit === undefined ? {} : { limit }
}

/** Also what clients call the first page. Throws `SearchError`. */
export function segmentOf(text: string): number {
  // Clients that begin with Sentry's first cursor.
  const number = /^(?:0:)?(\d{1,6})(?::[01])?$/.exec(text)?.[1]
  if (number === undefined) throw new SearchError(`"${text}" is no number of a segment`, 0)
  return Number(number)
}

/** One cursor: where the next page begins. */
export const pageOfSegments = (next: string | undefined) => ({
  previous: { cursor: '0:0:1', hasResults: false },
  next: { cursor: next ?? '0:0:0', hasResults: next !== undefined },
})

const named = (name: string) => ({ name: name === '' ? null : name, version: null })

function replayJson(replay: Replay, viewed: ReadonlySet<string>) {
  const [, kind = '', value = ''] = /^([a-z_]+):(.*)$/s.exec(replay.userKey) ?? []
  const [sdkName = '', sdkVersion] = replay.sdk.split(' ')
  const userOf = (name: string): string | null => (kind === name && value !== '' ? value : null)
  return {
    id: replay.replayId,
    project_id: String(replay.projectId),
    started_at: isoDate(replay.startedMs),
    finished_at: isoDate(replay.finishedMs),
    /** Seconds, as there. */
    duration: Math.round(replay.durationMs / 1000),
    replay_type: replay.replayType || 'session',
    activity: replay.activity,
    count_segments: replay.segments,
    count_errors: replay.errors,
    count_urls: replay.urls.length,
    count_dead_clicks: replay.deadClicks,
    count_rage_clicks: replay.rageClicks,
    urls: replay.urls,
    error_ids: replay.errorIds,
    trace_ids: replay.traceIds,
    environment: replay.environment === '' ? null : replay.environment,
    releases: replay.release === '' ? [] : [replay.release],
    platform: replay.platform,
    dist: null,
    is_archived: false,
    has_viewed: viewed.has(replay.replayId),
    tags: {},
    sdk: { name: sdkName, version: sdkVersion ?? null },
    user: {
      id: userOf('id'),
      email: userOf('email'),
      username: userOf('username'),
      ip: userOf('ip'),
      display_name: replay.userName || value || null,
    },
    browser: named(replay.browser),
    os: named(replay.os),
    device: { ...named(replay.device), brand: null, family: null, model: null },
  }
}
