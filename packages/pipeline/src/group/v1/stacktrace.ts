/** Which frames of a stack trace decide: those of the application where there are any, without repetition. */
import type { Stacktrace } from '@sonde/protocol/event'
import { type FrameValue, frameValues } from './frame.ts'

/** The frames nearest to the crash. A stack overflow has thousands, and their number is chance. */
const MAX_FRAMES = 50
/** Functions that call each other in a ring of up to this many repeat as a block. */
const LONGEST_CYCLE = 4

export type StacktraceValue = {
  /** Crash last. Empty: the stack trace says nothing. */
  readonly values: readonly string[]
  /** Minified frames are the majority, so the stack alone is too thin to tell errors apart. */
  readonly weak: boolean
  readonly note?: string
}

export function stacktraceValue(stacktrace: Stacktrace | undefined, platform: string): StacktraceValue {
  const all = stacktrace?.frames ?? []
  const own = all.filter((frame) => frame.in_app)
  const used = own.length > 0 ? own : all
  const frames = frameValues(used, platform)
  const minified = frames.filter((frame) => frame.minified).length
  const values = collapseRepetition(frames.filter((frame) => frame.text !== '')).slice(-MAX_FRAMES)
  const weak = minified > 0 && minified * 2 >= frames.length
  const notes = [
    ...(own.length > 0 && own.length < all.length
      ? [`${own.length} of ${all.length} frames are in the app`]
      : []),
    ...(own.length === 0 && all.length > 0 ? ['no frame is in the app: all count'] : []),
    ...(minified > 0 ? [`${minified} minified frames without a source map`] : []),
  ]
  return {
    values: values.map((value) => value.text),
    weak,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  }
}

/** `a b c b c b c d` → `a b c d`: how deep a recursion went is not what went wrong. */
function collapseRepetition(frames: readonly FrameValue[]): FrameValue[] {
  const kept: FrameValue[] = []
  for (const frame of frames) {
    kept.push(frame)
    for (let length = 1; length <= LONGEST_CYCLE && repeatsBlock(kept, length); length++);
  }
  return kept
}

/** Removes the last `length` frames when they equal those before them. True: go on with longer blocks. */
function repeatsBlock(frames: FrameValue[], length: number): boolean {
  if (frames.length < length * 2) return false
  for (let at = 1; at <= length; at++) {
    if (frames[frames.length - at]?.text !== frames[frames.length - length - at]?.text) return true
  }
  frames.length -= length
  return false
}
