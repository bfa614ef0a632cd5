/**
 * What the writer does before its first append: find out where the log ends, cut what is not whole, and make
 * what remains durable. Only the last segment can have a torn tail: the next one is created only after every
 * record before it was synced.
 */
import type { Clock, Logger } from '@sonde/base'
import { readCheckpoint } from './checkpoint.ts'
import { readWatermark } from './durable-watermark.ts'
import { firstRecordPosition, type OpenSegment, scan } from './scan.ts'
import {
  createSegment,
  listSegments,
  type LogFile,
  type OpenLogFile,
  readSalt,
  removeDrafts,
  segmentPath,
} from './segments.ts'

export type WritableSegment = { readonly file: LogFile; readonly start: number; readonly salt: Buffer }
export type Recovered = {
  readonly segment: WritableSegment
  /** Where the next record goes; everything before it is on disk. */
  readonly end: number
}

/**
 * A log that begins anew (its folder was removed, or never was) begins above every position that an older log of
 * the same installation handed out: the stores remember positions, and would take the new records for known ones.
 * 1 MB would have to be written in every millisecond of its life for the two to meet; 2^53 is reached in 2255.
 */
export const freshPosition = (clock: Clock): number => clock.nowMs() * 1_000

export async function recoverLog(
  dir: string,
  openFile: OpenLogFile,
  logger: Logger,
  firstPosition: number,
): Promise<Recovered> {
  await removeDrafts(dir)
  const watermark = await readWatermark(dir)
  // Positions below these were handed out; a consumer would skip new records that got them again.
  const floor = Math.max(watermark?.durable ?? 0, await readCheckpoint(dir))
  const last = (await listSegments(dir)).at(-1)
  if (last === undefined) return begin(dir, floor === 0 ? firstPosition : floor, openFile)

  const path = segmentPath(dir, last)
  const file = await openFile(path, 'r+')
  try {
    const { size } = await file.stat()
    const salt = await readSalt(file, path, last)
    if (salt === 'damaged') {
      logger.error(
        { segment: path, bytes: size },
        'the last log segment has no readable header; starting a new one',
      )
      await file.close()
      return await begin(dir, Math.max(floor, last + size, firstRecordPosition(last)), openFile)
    }
    const refused = watermark?.refusedSegment === last ? watermark.durable : undefined
    const fileEnd = last + size
    const end = await wholeUntil(
      { file, start: last, salt, end: Math.min(fileEnd, refused ?? fileEnd) },
      logger,
    )
    if (end < fileEnd) {
      logger.warn({ segment: path, position: end, bytes: fileEnd - end }, 'cut the torn tail of the log')
      await file.truncate(end - last)
    }
    // Also what validates may so far be in the page cache only; nothing is published before this.
    await file.sync()
    if (end >= floor && refused === undefined) return { segment: { file, start: last, salt }, end }
    if (end < floor) {
      logger.error(
        { segment: path, end, floor },
        'the log ends before a position that was durable; records are missing',
      )
    }
    await file.close()
    return await begin(dir, Math.max(end, floor), openFile)
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

async function begin(dir: string, start: number, openFile: OpenLogFile): Promise<Recovered> {
  return {
    segment: { start, ...(await createSegment(dir, start, openFile)) },
    end: firstRecordPosition(start),
  }
}

/**
 * The end of the last whole record. Damage before it stays where it is, for the reader to report: cutting there
 * would lose acknowledged records behind one flipped bit.
 */
async function wholeUntil(segment: OpenSegment, logger: Logger): Promise<number> {
  let position = firstRecordPosition(segment.start)
  let end = position
  let damaged: { position: number; bytes: number } | undefined
  while (position < segment.end) {
    const found = await scan(segment, position, Infinity)
    position = found.next
    damaged ??= found.damaged
    if (found.records.length === 0) continue
    end = found.next
    if (damaged) logger.error(damaged, 'a damaged stretch inside the log; the reader will skip it')
    damaged = undefined
  }
  return end
}
