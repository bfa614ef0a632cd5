/**
 * A stack that overflowed ends somewhere in the ring of functions that call each other, and where it was cut is chance:
 * what happened are the functions of the ring, whatever their order.
 */
import type { Exception, Frame } from '@sonde/protocol/event'

const OVERFLOW_TYPE =
  /^(?:RecursionError|StackOverflowError|java\.lang\.StackOverflowError|SystemStackError)$/
const OVERFLOW_VALUE = /^(?:Maximum call stack size exceeded|too much recursion|stack level too deep)/
/** Fewer show no ring. */
const MIN_FRAMES = 10
/** So often stands a function of the ring in what is left of the stack. */
const MIN_TIMES = 3

export function withoutRecursion(exception: Exception): Exception {
  const { type = '', value = '', stacktrace } = exception
  const isOverflow = OVERFLOW_TYPE.test(type) || OVERFLOW_VALUE.test(value)
  if (!isOverflow) return exception
  const named: Exception = { ...exception, type: '<stack overflow>', value: '' }
  const frames = stacktrace?.frames ?? []
  if (!stacktrace || frames.length < MIN_FRAMES) return named
  const ring = ringOf(frames.some((frame) => frame.in_app) ? frames.filter((frame) => frame.in_app) : frames)
  return ring.length === 0 ? named : { ...named, stacktrace: { ...stacktrace, frames: ring } }
}

/** One frame of each function that came again and again, in the order of their names. */
function ringOf(frames: readonly Frame[]): readonly Frame[] {
  const times = new Map<string, number>()
  const first = new Map<string, Frame>()
  for (const frame of frames) {
    const key = `${frame.module ?? frame.filename ?? ''} ${frame.function ?? ''}`
    times.set(key, (times.get(key) ?? 0) + 1)
    if (!first.has(key)) first.set(key, frame)
  }
  return [...first]
    .filter(([key]) => (times.get(key) ?? 0) >= MIN_TIMES)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, frame]) => {
      // Two places of one function in the ring would give two lines.
      const { context_line: _, ...rest } = frame
      return rest
    })
}
