/** Which exception and which frame stand for the event: in its title, its culprit, its tags. */
import type { Exception, Frame, NormalizedEvent } from '@sonde/protocol/event'

type Source = Pick<NormalizedEvent, 'exception' | 'threads' | 'unknown'>

/** The one that the SDK named (exception groups), else the last: the one that was thrown. */
export function mainException(event: Source): Exception | undefined {
  const list = event.exception
  if (!list) return undefined
  const id = event.unknown?.main_exception_id
  const named =
    typeof id === 'number' ? list.find((entry) => entry.mechanism?.exception_id === id) : undefined
  return named ?? list.at(-1)
}

/** Frames of the main exception, else of the crashed, the current, or the only thread. */
export function mainFrames(event: Source): readonly Frame[] | undefined {
  const own = mainException(event)?.stacktrace?.frames
  if (own) return own
  const threads = event.threads
  if (!threads) return undefined
  const thread =
    threads.find((entry) => entry.crashed) ??
    threads.find((entry) => entry.current) ??
    (threads.length === 1 ? threads[0] : undefined)
  return thread?.stacktrace?.frames
}

/** The last frame of the user's own code, else the last one. */
export function crashFrame(frames: readonly Frame[] | undefined): Frame | undefined {
  return frames?.findLast((frame) => frame.in_app) ?? frames?.at(-1)
}
