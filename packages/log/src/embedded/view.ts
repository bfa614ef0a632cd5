/**
 * What a reader may look at: how far the log is durable and which segments exist. The segments are listed after
 * the position was read, so every segment with bytes before that position is in the list, and the start of one
 * is the end of the one before it.
 */
import { readPublished } from './published.ts'
import { firstRecordPosition } from './scan.ts'
import { listSegments } from './segments.ts'

/** `end` is not after `start` for a segment that was created but has nothing durable yet. */
export type SegmentSpan = { readonly start: number; readonly end: number }
export type LogView = { readonly durable: number; readonly segments: readonly SegmentSpan[] }

/** `atLeast`: what was seen before; a torn or missing publication never moves a reader back. */
export async function viewLog(dir: string, atLeast: number): Promise<LogView> {
  const published = await readPublished(dir)
  const durable = Math.max(atLeast, published?.durable ?? 0)
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
