/** Videos of a replay on its clock. Times are milliseconds since the first event. Pure. */
import type { ReplayVideo } from '@sonde/queries'

export type Clip = { readonly segment: number; readonly startMs: number; readonly durationMs: number }

/** Nothing happens this long: it may pass quickly. As rrweb's player has it. */
const IDLE_MS = 10_000
/** What was done just now is looked at. */
const LINGER_MS = 1_500

export const clipsOf = (videos: readonly ReplayVideo[], firstMs: number): readonly Clip[] =>
  videos.map(({ segment, startedMs, durationMs }) => ({
    segment,
    startMs: Math.max(0, startedMs - firstMs),
    durationMs,
  }))

/** The last that has begun and not ended; two may overlap by some milliseconds. */
export function clipAt(clips: readonly Clip[], atMs: number): Clip | undefined {
  const clip = clips[countBegun(clips, atMs) - 1]
  return clip && atMs < clip.startMs + clip.durationMs ? clip : undefined
}

export const nextClip = (clips: readonly Clip[], atMs: number): Clip | undefined =>
  clips[countBegun(clips, atMs)]

/** How many begin at `atMs` or before. */
function countBegun(clips: readonly Clip[], atMs: number): number {
  let [low, high] = [0, clips.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (clips[middle]!.startMs <= atMs) low = middle + 1
    else high = middle
  }
  return low
}

export const endOf = (clips: readonly Clip[]): number =>
  clips.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 0)

/** Nothing was done just now, and nothing is for a while. `busyMs`: ascending. */
export function isIdleAt(busyMs: readonly number[], atMs: number, endMs: number): boolean {
  const next = busyMs.find((each) => each >= atMs - LINGER_MS) ?? endMs
  return next - atMs > IDLE_MS
}
