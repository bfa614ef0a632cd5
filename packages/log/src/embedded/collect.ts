/** Reads durable records from a position on, over segment borders and past damage. Keeps no state. */
import type { LogRecord, ReadLimit } from '../log.ts'
import { readWatermark } from './durable-watermark.ts'
import { firstRecordPosition, scan, type StoredRecord } from './scan.ts'
import { isMissing, listSegments, openLogFile, readSalt, segmentPath } from './segments.ts'

// What a reader may look at: how far the log is durable and which segments exist. The segments are listed after
// the position was read, so every segment with bytes before that position is in the list, and the start of one
// is the end of the one before it.

/** `end` is not after `start` for a segment that was created but has nothing durable yet. */
type SegmentSpan = { readonly start: number; readonly end: number }
export type LogView = { readonly durable: number; readonly segments: readonly SegmentSpan[] }

/** `atLeast`: what was seen before; a torn or missing publication never moves a reader back. */
export async function viewLog(dir: string, atLeast: number): Promise<LogView> {
  const watermark = await readWatermark(dir)
  const durable = Math.max(atLeast, watermark?.durable ?? 0)
  return { durable, segments: spans(await listSegments(dir), durable) }
}

export function spans(starts: readonly number[], durable: number): SegmentSpan[] {
  return starts.map((start, index) => ({ start, end: Math.min(starts[index + 1] ?? durable, durable) }))
}

/** Bytes of records (with their heads) from `position` on. */
export function bytesFrom(view: LogView, position: number): number {
  return view.segments.reduce(
    (sum, { start, end }) => sum + Math.max(0, end - Math.max(position, firstRecordPosition(start))),
    0,
  )
}

/** Bytes that hold no readable record although the log says they should. */
export type Corruption = {
  readonly position: number
  readonly bytes: number
  readonly segment: string
}
export type Collected = { readonly records: StoredRecord[]; readonly next: number }

/**
 * None only when nothing readable is left before the view's end; then `next` is that end.
 * Damage is reported each time it is met.
 */
export async function collect(
  dir: string,
  view: LogView,
  from: number,
  limit: ReadLimit,
  onCorruption: (corruption: Corruption) => void,
): Promise<Collected> {
  const records: StoredRecord[] = []
  let position = from
  let bytes = 0
  for (const span of view.segments) {
    if (span.end <= position) continue
    position = Math.max(position, firstRecordPosition(span.start))
    if (position >= span.end) continue
    const walked = await walkSpan(dir, span, position, limit.maxRecords, onCorruption, (record) => {
      if (records.length >= limit.maxRecords || record.position >= (limit.to ?? Infinity)) return false
      if (records.length > 0 && bytes + record.bytes.length > limit.maxBytes) return false
      records.push(record)
      bytes += record.bytes.length
      return true
    })
    if (walked.full) return { records, next: walked.next }
    position = walked.next
  }
  return { records, next: Math.max(position, view.durable) }
}

type Walked = { readonly next: number; readonly full: boolean }

/** Hands records to `take` until it refuses one. */
async function walkSpan(
  dir: string,
  span: SegmentSpan,
  from: number,
  maxRecords: number,
  onCorruption: (corruption: Corruption) => void,
  take: (record: StoredRecord) => boolean,
): Promise<Walked> {
  const path = segmentPath(dir, span.start)
  const file = await openLogFile(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  const lost = (position: number, bytes: number): void => onCorruption({ position, bytes, segment: path })
  if (!file) {
    if (from < span.end) lost(from, span.end - from)
    return { next: span.end, full: false }
  }
  try {
    const salt = await readSalt(file, path, span.start)
    if (salt === 'damaged') {
      lost(from, span.end - from)
      return { next: span.end, full: false }
    }
    let position = from
    while (position < span.end) {
      const found = await scan({ file, ...span, salt }, position, maxRecords)
      if (found.damaged) lost(found.damaged.position, found.damaged.bytes)
      for (const record of found.records) {
        if (!take(record)) return { next: record.position, full: true }
      }
      position = found.next
    }
    return { next: span.end, full: false }
  } finally {
    await file.close()
  }
}

export function toLogRecord({ position, next, bytes }: StoredRecord): LogRecord {
  return { position, next, bytes }
}
