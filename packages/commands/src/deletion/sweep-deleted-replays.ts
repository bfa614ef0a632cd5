/** Replays that somebody deleted: their rows, and what their pages sent of them since. */
import type { Clock } from '@sonde/base'
import { discardRecordings, type Records, type Telemetry, writeTransaction } from '@sonde/stores'

type SweepOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'deleteRows'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

const REPLAYS_AT_ONCE = 100
/** Longer than a replay may last and an SDK tries again; the log may be behind by some of it. */
const REMEMBERED_MS = 3 * 3_600_000
/** Deleting rows is dear: the first time at once, and the last time. */
const FIRST_MS = 5 * 60_000

/** May be interrupted anywhere and called again. */
export async function sweepDeletedReplays(options: SweepOptions): Promise<void> {
  const { records, telemetry, clock, signal } = options
  const nowMs = clock.nowMs()
  const deleted = await records
    .selectFrom('replay_deletion')
    .selectAll()
    .orderBy('requested_ms')
    .limit(REPLAYS_AT_ONCE)
    .execute()
  for (const { project_id: project, replay_id: replay, requested_ms: requestedMs } of deleted) {
    if (signal.aborted) return
    const late = await discardLate(records, project, replay, nowMs)
    const isOver = nowMs - requestedMs > REMEMBERED_MS
    if (late > 0 || isOver || nowMs - requestedMs < FIRST_MS)
      await telemetry.deleteRows('replays', 'project_id = {project:UInt32} AND replay_id = {replay:String}', {
        project,
        replay,
      })
    if (isOver)
      await records
        .deleteFrom('replay_deletion')
        .where('project_id', '=', project)
        .where('replay_id', '=', replay)
        .execute()
  }
}

async function discardLate(
  records: Records,
  project: number,
  replay: string,
  nowMs: number,
): Promise<number> {
  return await writeTransaction(records, async (tx) => {
    const rows = await tx
      .deleteFrom('replay_segment')
      .where('project_id', '=', project)
      .where('replay_id', '=', replay)
      .returning(['blob', 'video_blob'])
      .execute()
    await discardRecordings(
      tx,
      rows.flatMap(({ blob, video_blob }) => [blob, ...(video_blob === null ? [] : [video_blob])]),
      nowMs,
    )
    return rows.length
  })
}
