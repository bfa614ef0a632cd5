/** Session replays as Sentry's public API has them: https://docs.sentry.io/api/replays/ */
import type { Grant } from '@sonde/access'
import { deleteReplay } from '@sonde/commands'
import {
  listReplays,
  openReplay,
  fileGone,
  openReplayVideo,
  type Replay as ReplayRow,
  readRecordingPage,
  replayIdOf,
  replaySort,
  replayVideoAnswer,
  type ReplaySort,
  SearchError,
  viewedReplays,
} from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'
import { setLink } from '../pages.ts'
import { PERFORMANCE, performanceOf, projectIds, text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

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

const Named = z.object({ name: z.string().nullable(), version: z.null() })

const Replay = z
  .object({
    id: z.string(),
    project_id: z.string(),
    started_at: Time,
    finished_at: Time,
    duration: z.int().meta({ description: 'Seconds.' }),
    replay_type: z.string(),
    activity: z.number(),
    count_segments: z.int(),
    count_errors: z.int(),
    count_urls: z.int(),
    count_dead_clicks: z.int(),
    count_rage_clicks: z.int(),
    urls: z.array(z.string()),
    error_ids: z.array(z.string()),
    trace_ids: z.array(z.string()),
    environment: z.string().nullable(),
    releases: z.array(z.string()),
    platform: z.string(),
    dist: z.null(),
    is_archived: z.boolean(),
    has_viewed: z.boolean(),
    tags: z.object({}),
    sdk: z.object({ name: z.string(), version: z.string().nullable() }),
    user: z.object({
      id: z.string().nullable(),
      email: z.string().nullable(),
      username: z.string().nullable(),
      ip: z.string().nullable(),
      display_name: z.string().nullable(),
    }),
    browser: Named,
    os: Named,
    device: Named.extend({ brand: z.null(), family: z.null(), model: z.null() }),
  })
  .meta({ id: 'Replay' })

const RecordingEvent = z.looseObject({}).meta({
  id: 'RecordingEvent',
  description: 'Open: an event of rrweb, mostly `{type, data, timestamp}`, as the SDK made it.',
})

const Recording = z
  .array(z.array(RecordingEvent))
  .meta({ description: 'The events of each segment, as rrweb and the SDK made them.' })

const Segment = z.object({
  data: z.object({
    replayId: z.string(),
    segmentId: z.int(),
    projectId: z.string(),
    events: z.array(RecordingEvent),
  }),
})

const reads = { tag: 'Replays', permission: 'event:read' } as const

export function replayRoutes(api: Api, { queries, commands, blobs, publicUrl }: ApiOptions): void {
  const detail = async (grant: Grant<'event:read', 'org' | 'project'>, id: string) => {
    const replay = await openReplay(queries, grant, id)
    return replay && { data: replayJson(replay, await viewedReplays(queries, grant, [replay.replayId])) }
  }

  api.get(
    ORG,
    {
      ...reads,
      id: 'listReplays',
      summary: 'List replays',
      query: z.object({
        ...PERFORMANCE,
        project: projectIds,
        query: text('A search.'),
        sort: text('`-started_at`, `-count_errors`, `-duration`, `-count_rage_clicks` or `-activity`.'),
      }),
      pages: true,
      answer: z.object({ data: z.array(Replay) }),
    },
    async ({ c, grant, query, page: asked }) => {
      const page = await listReplays(queries, grant, {
        ...performanceOf(query, queries.clock),
        query: withProjects(query.query ?? '', query.project),
        sort: SORTS[query.sort ?? ''] ?? replaySort(query.sort),
        ...asked,
      })
      setLink(c, publicUrl, pageOfSegments(page.next))
      const ids = page.replays.map(({ replayId }) => replayId)
      const viewed = await viewedReplays(queries, grant, ids)
      return { data: page.replays.map((replay) => replayJson(replay, viewed)) }
    },
  )

  for (const path of [`${ORG}/:replay`, `${PROJECT}/:replay`] as const)
    api.get(
      path,
      { ...reads, id: 'getReplay', summary: 'Read a replay', answer: z.object({ data: Replay }) },
      ({ grant, params }) => detail(grant, params.replay),
    )

  api.delete(
    `${PROJECT}/:replay`,
    { tag: 'Replays', permission: 'event:delete', id: 'deleteReplay', summary: 'Delete a replay' },
    async ({ grant, params }) => {
      const replayId = replayIdOf(params.replay)
      if (replayId === undefined) throw notFound('delete a replay')
      await deleteReplay(commands, grant, { replayId })
    },
  )

  api.get(
    `${PROJECT}/:replay/recording-segments`,
    {
      ...reads,
      id: 'listReplaySegments',
      summary: 'Read the recording of a replay',
      pages: true,
      answer: media('application/json', 'A list of lists: the events of each segment.', Recording),
    },
    async ({ c, grant, params, page: { cursor = '0', limit } }) => {
      const page = await readRecordingPage({ ...queries, blobs }, grant, {
        replayId: params.replay,
        from: segmentOf(cursor),
        ...(limit !== undefined && { limit }),
      })
      setLink(c, publicUrl, pageOfSegments(page.next?.toString()))
      // As it is stored: to read it only to write it again would cost seconds.
      const body = `[${page.segments.map(({ events }) => events).join(',')}]`
      return c.body(body, 200, { 'content-type': 'application/json' })
    },
  )

  api.get(
    `${PROJECT}/:replay/recording-segments/:segment`,
    {
      ...reads,
      id: 'getReplaySegment',
      summary: 'Read one segment of a recording',
      answer: media('application/json', 'Its events.', Segment),
      errors: { 410: 'Its file is gone.' },
    },
    async ({ c, grant, params }) => {
      const from = segmentOf(params.segment)
      const replayId = replayIdOf(params.replay)
      if (replayId === undefined) throw notFound('read a segment')
      const page = await readRecordingPage({ ...queries, blobs }, grant, { replayId, from, limit: 1 })
      if (page.unreadable[0] === from) throw fileGone('missing or damaged', { blob: `segment ${from}` })
      const [segment] = page.segments
      if (segment?.id !== from) throw notFound('read a segment')
      const body = `{"data":{"replayId":"${replayId}","segmentId":${from},"projectId":"${grant.projectId}","events":${segment.events}}}`
      return c.body(body, 200, { 'content-type': 'application/json' })
    },
  )

  // Of mobile SDKs.
  api.get(
    `${PROJECT}/:replay/videos/:segment`,
    {
      ...reads,
      id: 'getReplayVideo',
      summary: 'Read the video of a segment',
      answer: media('video/mp4', 'The video, or the range of it that the header `Range` asks for (206).'),
    },
    async ({ c, grant, params }) => {
      const found = { replayId: params.replay, segment: segmentOf(params.segment) }
      const video = await openReplayVideo({ ...queries, blobs }, grant, found)
      if (!video) throw notFound('read a video')
      return replayVideoAnswer(video, c.req.header('range'))
    },
  )
}

/** `project=…` of the request as a term of the search; the grant alone says which may be read. */
const withProjects = (query: string, ids: readonly number[]): string =>
  ids.length === 0 ? query : `${query} project.id:[${ids.join(',')}]`.trim()

/** Also what clients call the first page. Throws `SearchError`. */
export function segmentOf(asked: string): number {
  // Clients that begin with Sentry's first cursor.
  const number = /^(?:0:)?(\d{1,6})(?::[01])?$/.exec(asked)?.[1]
  if (number === undefined) throw new SearchError(`"${asked}" is no number of a segment`, 0)
  return Number(number)
}

/** One cursor: where the next page begins. */
export const pageOfSegments = (next: string | undefined) => ({
  previous: { cursor: '0:0:1', hasResults: false },
  next: { cursor: next ?? '0:0:0', hasResults: next !== undefined },
})

const named = (name: string) => ({ name: name === '' ? null : name, version: null })

function replayJson(replay: ReplayRow, viewed: ReadonlySet<string>) {
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
