/** One replay with the errors that happened in it, and its recording segment by segment. */
import { inflateSync } from 'node:zlib'
import type { Grant } from '@sonde/access'
import { type Blobs, inProjects } from '@sonde/stores'
import { getWhole } from '../events/whole-file.ts'
import { boundedQuery } from '../explore/bounded-query.ts'
import type { QueryDeps } from '../query-deps.ts'
import { FEWER_REPLAYS } from './replay-fields.ts'
import { type ReplayNavigation, replayNavigations } from './replay-navigations.ts'
import { deletedReplays, REPLAY_COLUMNS, type Replay, replaySums } from './replay-sums.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

export type ReplayError = {
  readonly eventId: string
  readonly issueId: number
  readonly shortId: string
  readonly title: string
  readonly level: string
  readonly timestampMs: number
}
export type OpenedReplay = Replay & {
  readonly projectSlug: string
  /** By time. Those that are kept and were not deleted. */
  readonly happened: readonly ReplayError[]
  /** As Sonde's own reporter saw them, by time. */
  readonly navigated: readonly ReplayNavigation[]
  /** What is added to a time of the recording to be the server's: pages' clocks may be wrong by anything. */
  readonly clockShiftMs: number
  /** How many segments have a recording, and its size as JSON. */
  readonly recorded: number
  readonly rawBytes: number
  /** Of mobile SDKs, by time: what is played instead of the recording. Times are the device's. */
  readonly videos: readonly ReplayVideo[]
}
export type ReplayVideo = {
  readonly segment: number
  readonly startedMs: number
  readonly durationMs: number
}

export const replayIdOf = (text: string): string | undefined => {
  const id = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

/** Undefined: there is none, or it was deleted. Reads along the keys of `replays`, `replay_segment` and `event_index`. */
export async function openReplay(
  deps: Deps,
  grant: ReadGrant,
  text: string,
): Promise<OpenedReplay | undefined> {
  const id = replayIdOf(text)
  if (id === undefined || (await deletedReplays(deps, grant)).includes(id)) return undefined
  const own = await deps.records
    .selectFrom('project')
    .select(['id', 'slug'])
    .where(inProjects(grant))
    .execute()
  if (own.length === 0) return undefined
  const [replay] = await boundedQuery<Replay>(
    deps,
    `SELECT ${REPLAY_COLUMNS} FROM (${replaySums('project_id IN {projects:Array(UInt32)} AND replay_id = {id:String}')}) LIMIT 1`,
    { projects: own.map((project) => project.id), id },
    FEWER_REPLAYS,
  )
  if (!replay) return undefined
  const segments = await deps.records
    .selectFrom('replay_segment')
    .select(({ fn }) => [
      fn.countAll<number>().as('recorded'),
      fn.sum<number | null>('raw_bytes').as('rawBytes'),
      fn.min<number | null>('started_ms').as('startedMs'),
    ])
    .where('project_id', '=', replay.projectId)
    .where('replay_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...replay,
    projectSlug: own.find((project) => project.id === replay.projectId)?.slug ?? '',
    happened: await errorsOf(deps, replay),
    navigated: await replayNavigations(deps, replay),
    clockShiftMs: segments.startedMs === null ? 0 : replay.startedMs - segments.startedMs,
    recorded: segments.recorded,
    rawBytes: segments.rawBytes ?? 0,
    videos: await videosOf(deps, replay),
  }
}

/** As many segments as a replay has. */
const MAX_VIDEOS = 1_500

async function videosOf(
  { records }: Pick<Deps, 'records'>,
  { projectId, replayId }: Pick<Replay, 'projectId' | 'replayId'>,
): Promise<readonly ReplayVideo[]> {
  const rows = await records
    .selectFrom('replay_segment')
    .select(['segment_id', 'video_started_ms', 'video_duration_ms'])
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .where('video_blob', 'is not', null)
    .orderBy('segment_id')
    .limit(MAX_VIDEOS)
    .execute()
  return rows
    .map((row) => ({
      segment: row.segment_id,
      startedMs: row.video_started_ms ?? 0,
      durationMs: row.video_duration_ms ?? 0,
    }))
    .toSorted((a, b) => a.startedMs - b.startedMs)
}

const MAX_ERRORS = 200
/** Of an error whose replay the SDK named, but that the replay does not name: buffers are sent before it. */
const AROUND_MS = 60_000

async function errorsOf(
  { records, telemetry }: Deps,
  { projectId, replayId, errorIds, startedMs, finishedMs }: Replay,
): Promise<readonly ReplayError[]> {
  type Row = { eventId: string; issueId: number; title: string; level: string; timestampMs: number }
  const rows = await telemetry.query<Row>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId, title, level,
       toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events WHERE project_id = {project:UInt32} AND timestamp >= {from:DateTime64(3)}
       AND timestamp <= {to:DateTime64(3)} AND issue_id > 0
       AND (event_id IN {ids:Array(String)} OR tags['replayId'] = {replay:String})
     ORDER BY timestampMs LIMIT 1 BY event_id LIMIT ${MAX_ERRORS}`,
    {
      project: projectId,
      ids: errorIds,
      replay: replayId,
      from: Math.max(0, startedMs - AROUND_MS),
      to: finishedMs + AROUND_MS,
    },
  )
  if (rows.length === 0) return []
  const issues = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.short_number', 'project.slug'])
    .where('issue.project_id', '=', projectId)
    .where('issue.id', 'in', [...new Set(rows.map(({ issueId }) => issueId))])
    .execute()
  const byId = new Map(
    issues.map(({ id, slug, short_number }) => [id, `${slug.toUpperCase()}-${short_number}`]),
  )
  return rows.flatMap((row) => {
    const shortId = byId.get(row.issueId)
    return shortId === undefined ? [] : [{ ...row, shortId }]
  })
}

export type RecordingPage = {
  /** In order; `events`: JSON, a list of rrweb events. */
  readonly segments: readonly { readonly id: number; readonly events: string }[]
  /** Of these segments the bytes are missing or damaged. */
  readonly unreadable: readonly number[]
  /** The first segment of the next page; undefined: there is no more. */
  readonly next: number | undefined
}

const PAGE_BYTES = 4 * 1024 * 1024
const PAGE_SEGMENTS = 50
/** As the pipeline's: what is stored was within it. */
const MAX_SEGMENT_BYTES = 24 * 1024 * 1024

/**
 * Segments from the one with the number `from`: as many as are 4 MiB of JSON together, and one at least. Those that
 * cannot be read are named, and the rest goes on. Reads along the key of `replay_segment`.
 */
export async function readRecordingPage(
  { records, blobs }: Pick<QueryDeps, 'records'> & { readonly blobs: Pick<Blobs, 'get' | 'note'> },
  grant: Grant<'event:read', 'project'>,
  {
    replayId,
    from = 0,
    limit = PAGE_SEGMENTS,
  }: { readonly replayId: string; readonly from?: number; readonly limit?: number },
): Promise<RecordingPage> {
  const id = replayIdOf(replayId)
  if (id === undefined) return { segments: [], unreadable: [], next: undefined }
  const size = Math.min(PAGE_SEGMENTS, Math.max(1, limit))
  const rows = await records
    .selectFrom('replay_segment')
    .select(['segment_id', 'raw_bytes', 'blob'])
    .where('project_id', '=', grant.projectId)
    .where('replay_id', '=', id)
    .where('segment_id', '>=', from)
    .orderBy('segment_id')
    .limit(size + 1)
    .execute()
  let bytes = 0
  const page = rows
    .slice(0, size)
    .filter(({ raw_bytes }, at) => (bytes += raw_bytes) <= PAGE_BYTES || at === 0)
  const segments: { id: number; events: string }[] = []
  const unreadable: number[] = []
  for (const { segment_id, blob } of page) {
    const events = await readSegment(blobs, blob)
    if (events === undefined) unreadable.push(segment_id)
    else segments.push({ id: segment_id, events })
  }
  return { segments, unreadable, next: rows[page.length]?.segment_id }
}

/** Undefined: missing or damaged, as its checksum says. Throws `SondeError` (`unavailable`) when it cannot be read now. */
async function readSegment(blobs: Pick<Blobs, 'get' | 'note'>, blob: string): Promise<string | undefined> {
  const content = await getWhole(blobs, blob)
  if (content === undefined) return undefined
  try {
    return inflateSync(content, { maxOutputLength: MAX_SEGMENT_BYTES }).toString('utf8')
  } catch {
    blobs.note?.(blob, 'damaged')
    return undefined
  }
}
