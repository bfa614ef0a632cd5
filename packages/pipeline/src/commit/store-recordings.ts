/**
 * Segments of session replays: their bytes before the transaction that marks the batch, their rows inside it. As with
 * attachments a row is known by its place in the log, and no blob's name is ever used twice.
 */
import { type Blobs, discardRecordings, type Records } from '@sonde/stores'
import type { ProcessedRecording, ProcessedRows } from '../process/processed.ts'
import { type HeldItems, placeKey } from './pipeline-state.ts'

/** More than an SDK records in its hour: https://docs.sentry.io/platforms/javascript/session-replay/ */
const REPLAY_LIMITS = {
  segments: 1_500,
  rawBytes: 200 * 1024 * 1024,
  durationMs: 65 * 60_000,
} as const

type Recorded = ProcessedRows & { readonly recording: ProcessedRecording }
type PlacedRecording = { readonly item: Recorded; readonly blob: string }
type PlacedRecordings = {
  readonly placed: readonly PlacedRecording[]
  /** Their replay is as long as one may be. */
  readonly refused: readonly ProcessedRows[]
}

const WRITES_AT_ONCE = 8

export async function placeRecordings(
  { records, blobs }: { readonly records: Records; readonly blobs: Pick<Blobs, 'put'> },
  partition: number,
  items: readonly ProcessedRows[],
  held: HeldItems | undefined,
): Promise<PlacedRecordings> {
  const recorded = items.filter((item): item is Recorded => item.recording !== undefined)
  const sizes = new Map<string, ReplaySize>()
  const placed: PlacedRecording[] = []
  const refused: ProcessedRows[] = []
  for (const item of recorded) {
    const key = `${item.projectId}/${item.recording.replayId}`
    const known = sizes.get(key) ?? (await sizeOf(records, item, partition))
    const size = withSegment(known, item.recording)
    // An attempt before this one has decided for the whole batch.
    const isRefused = held ? held.get(placeKey(item)) === 'replay_limit' : isTooLong(size)
    sizes.set(key, isRefused ? known : size)
    if (isRefused) refused.push(item)
    else placed.push({ item, blob: blobName(partition, item) })
  }
  for (let at = 0; at < placed.length; at += WRITES_AT_ONCE)
    await Promise.all(
      placed.slice(at, at + WRITES_AT_ONCE).map(async ({ item: { recording }, blob }) => {
        await blobs.put(blob, recording.content)
        if (recording.video) await blobs.put(videoName(blob), recording.video.content)
      }),
    )
  return { placed, refused }
}

const blobName = (partition: number, { projectId, position, itemIndex, recording }: Recorded): string =>
  `replays/${projectId}/${recording.replayId}/${recording.segmentId}-${partition}-${position}-${itemIndex}`

const videoName = (blob: string): string => `${blob}-video`

type ReplaySize = {
  readonly segments: number
  /** Of videos too. */
  readonly rawBytes: number
  readonly startedMs: number
  readonly finishedMs: number
}

/** Of the segments before: those of this very batch, from an attempt that was interrupted, count with it. */
async function sizeOf(records: Records, item: Recorded, partition: number): Promise<ReplaySize> {
  const row = await records
    .selectFrom('replay_segment')
    .select(({ fn }) => [
      fn.countAll<number>().as('segments'),
      fn.sum<number | null>('raw_bytes').as('rawBytes'),
      fn.sum<number | null>('video_bytes').as('videoBytes'),
      fn.min<number | null>('started_ms').as('startedMs'),
      fn.max<number | null>('finished_ms').as('finishedMs'),
    ])
    .where('project_id', '=', item.projectId)
    .where('replay_id', '=', item.recording.replayId)
    .where(({ or, eb }) => or([eb('log_partition', '!=', partition), eb('log_position', '<', item.position)]))
    .executeTakeFirstOrThrow()
  return {
    segments: row.segments,
    rawBytes: (row.rawBytes ?? 0) + (row.videoBytes ?? 0),
    startedMs: row.startedMs ?? Infinity,
    finishedMs: row.finishedMs ?? -Infinity,
  }
}

const withSegment = (size: ReplaySize, segment: ProcessedRecording): ReplaySize => ({
  segments: size.segments + 1,
  rawBytes: size.rawBytes + segment.rawBytes + (segment.video?.content.length ?? 0),
  startedMs: Math.min(size.startedMs, segment.startedMs),
  finishedMs: Math.max(size.finishedMs, segment.finishedMs),
})

const isTooLong = ({ segments, rawBytes, startedMs, finishedMs }: ReplaySize): boolean =>
  segments > REPLAY_LIMITS.segments ||
  rawBytes > REPLAY_LIMITS.rawBytes ||
  finishedMs - startedMs > REPLAY_LIMITS.durationMs

/** What the batch does not store leaves no file. A segment that is there already stays as it is. */
export async function writeRecordings(
  tx: Records,
  partition: number,
  placed: readonly PlacedRecording[],
  hasEnded: (item: ProcessedRows) => boolean,
  nowMs: number,
): Promise<void> {
  const unnamed: string[] = []
  for (const { item, blob } of placed) {
    const { projectId, position, itemIndex, receivedMs, recording } = item
    const { video } = recording
    if (hasEnded(item)) {
      unnamed.push(blob, ...(video ? [videoName(blob)] : []))
      continue
    }
    await tx
      .insertInto('replay_segment')
      .values({
        project_id: projectId,
        replay_id: recording.replayId,
        segment_id: recording.segmentId,
        bytes: recording.content.length,
        raw_bytes: recording.rawBytes,
        started_ms: recording.startedMs,
        finished_ms: recording.finishedMs,
        blob,
        log_partition: partition,
        log_position: position,
        item_index: itemIndex,
        created_ms: receivedMs,
        ...(video && {
          video_blob: videoName(blob),
          video_type: video.type,
          video_bytes: video.content.length,
          video_started_ms: video.startedMs,
          video_duration_ms: video.durationMs,
        }),
      })
      .onConflict((on) => on.doNothing())
      .execute()
  }
  await discardRecordings(tx, unnamed, nowMs)
}
