/** A look at the log from outside, for `sonde doctor`: takes no lock and changes nothing. */
import { stat } from 'node:fs/promises'
import { readCheckpoint } from './checkpoint.ts'
import { bytesFrom, spans } from './collect.ts'
import { damagedStretches, type DamagedStretch } from './damaged-segments.ts'
import { readWatermark } from './durable-watermark.ts'
import { oldestMs } from './reader.ts'
import { isMissing, listSegments, segmentPath } from './segments.ts'

export type LogInspection = {
  /** Oldest first. Empty when Sonde never ran here. */
  readonly segments: readonly { readonly start: number; readonly bytes: number }[]
  readonly keptBytes: number
  /** Nothing when no writer ran, or after a power loss until one runs again; then `depth` counts what is in the files. */
  readonly durable: number | undefined
  readonly committed: number
  readonly depth: { readonly bytes: number; readonly oldestMs: number | undefined }
  /** What could not be read, until an operator removes the folder with it. */
  readonly damaged: readonly DamagedStretch[]
  /** Who published last and when; the process may be gone. */
  readonly lastWriter: { readonly pid: number; readonly atMs: number } | undefined
}

export async function inspectLog(dir: string): Promise<LogInspection> {
  const watermark = await readWatermark(dir)
  const committed = await readCheckpoint(dir)
  const segments: { start: number; bytes: number }[] = []
  for (const start of await listSegments(dir)) {
    try {
      segments.push({ start, bytes: (await stat(segmentPath(dir, start))).size })
    } catch (error) {
      if (!isMissing(error)) throw error // consumed and deleted meanwhile
    }
  }
  const last = segments.at(-1)
  const durable = watermark?.durable ?? (last ? last.start + last.bytes : 0)
  const view = {
    durable,
    segments: spans(
      segments.map(({ start }) => start),
      durable,
    ),
  }
  const bytes = bytesFrom(view, committed)
  return {
    segments,
    keptBytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    durable: watermark?.durable,
    committed,
    depth: { bytes, oldestMs: bytes === 0 ? undefined : await oldestMs(dir, view, committed) },
    damaged: await damagedStretches(dir),
    lastWriter: watermark && { pid: watermark.writerPid, atMs: watermark.atMs },
  }
}
