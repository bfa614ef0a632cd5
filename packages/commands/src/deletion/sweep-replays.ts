/** Replays that are too old: their rows, and their recordings as garbage that `sweepAttachments` deletes. */
import type { Clock } from '@sonde/base'
import { discardRecordings, type Records, type Telemetry, writeTransaction } from '@sonde/stores'

type SweepReplaysOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'deleteRows'>
  readonly clock: Clock
  readonly retentionDays: number
  readonly replayRetentionDays?: number
  readonly signal: AbortSignal
}

const ROWS_AT_ONCE = 500
const DAY_MS = 86_400_000

/** May be interrupted anywhere and called again. */
export async function sweepReplays(options: SweepReplaysOptions): Promise<void> {
  const { records, telemetry, clock, signal, retentionDays } = options
  const days = Math.min(retentionDays, options.replayRetentionDays ?? retentionDays)
  const beforeMs = clock.nowMs() - days * DAY_MS
  // Each is younger than its replay was: what is older than the retention has none any more.
  await records.deleteFrom('replay_view').where('at_ms', '<', beforeMs).execute()
  let expired = 0
  for (;;) {
    if (signal.aborted) return
    const now = await expire(options, beforeMs)
    expired += now
    if (now < ROWS_AT_ONCE) break
  }
  if (expired > 0)
    await telemetry.deleteRows('replays', 'received < {before:DateTime64(3)}', { before: beforeMs / 1000 })
}

async function expire({ records, clock }: SweepReplaysOptions, beforeMs: number): Promise<number> {
  return await writeTransaction(records, async (tx) => {
    const old = await tx
      .selectFrom('replay_segment')
      .select(['project_id', 'replay_id', 'segment_id', 'blob', 'video_blob'])
      .where('created_ms', '<', beforeMs)
      .limit(ROWS_AT_ONCE)
      .execute()
    if (old.length === 0) return 0
    const blobs = old.map((row) => row.blob)
    await tx
      .deleteFrom('replay_segment')
      .where('created_ms', '<', beforeMs)
      .where('blob', 'in', blobs)
      .execute()
    const videos = old.flatMap((row) => row.video_blob ?? [])
    await discardRecordings(tx, [...blobs, ...videos], clock.nowMs())
    return old.length
  })
}
