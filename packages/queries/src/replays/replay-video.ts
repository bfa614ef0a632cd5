/** The video of a segment of a replay, whole or the bytes that a player asks for. */
import type { Grant } from '@sonde/access'
import type { Blobs } from '@sonde/stores'
import { fileGone, getWhole } from '../events/whole-file.ts'
import type { QueryDeps } from '../query-deps.ts'
import { replayIdOf } from './open-replay.ts'
import { deletedReplays } from './replay-sums.ts'

type Deps = Pick<QueryDeps, 'records'> & { readonly blobs: Pick<Blobs, 'get' | 'note'> }

export type SegmentVideo = { readonly type: 'video/mp4' | 'video/webm'; readonly bytes: Uint8Array }

/**
 * Undefined: there is none, or it was deleted. At most 10 MiB. Reads along the key of `replay_segment`. Throws `SondeError`
 * (`gone`) when its bytes cannot be read.
 */
export async function openReplayVideo(
  { records, blobs }: Deps,
  grant: Grant<'event:read', 'project'>,
  { replayId, segment }: { readonly replayId: string; readonly segment: number },
): Promise<SegmentVideo | undefined> {
  const id = replayIdOf(replayId)
  if (id === undefined || (await deletedReplays({ records }, grant)).includes(id)) return undefined
  const row = await records
    .selectFrom('replay_segment')
    .select(['video_blob', 'video_type'])
    .where('project_id', '=', grant.projectId)
    .where('replay_id', '=', id)
    .where('segment_id', '=', segment)
    .executeTakeFirst()
  if (!row?.video_blob || !row.video_type) return undefined
  const bytes = await getWhole(blobs, row.video_blob)
  if (bytes === undefined) throw fileGone('missing or damaged', { blob: row.video_blob })
  return { type: row.video_type, bytes }
}

/** Bytes of strangers: read by a `<video>`, never shown as a page, of no other type than these two. */
const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'content-disposition': 'inline; filename="replay"',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** One range is served; more at once, and what is no range, are answered with the whole (RFC 9110, 14.2). */
export function replayVideoAnswer({ type, bytes }: SegmentVideo, range: string | null | undefined): Response {
  const size = bytes.length
  const wanted = range ? rangeOf(range, size) : undefined
  if (wanted === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...HEADERS, 'content-range': `bytes */${size}` } })
  const [from, to] = wanted ?? [0, size]
  const headers = {
    ...HEADERS,
    'content-type': type,
    'content-length': String(to - from),
    ...(wanted && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
  }
  return new Response(new Uint8Array(bytes.subarray(from, to)), { status: wanted ? 206 : 200, headers })
}

function rangeOf(
  text: string,
  size: number,
): readonly [from: number, to: number] | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(text) ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < from) return undefined
  return from >= size || to <= from ? 'unsatisfiable' : [from, to]
}
