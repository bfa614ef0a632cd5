/** Undoes symbolication: the stacks as the SDK sent them, so that they can be read with other files. */
import type { Exception, Frame, NormalizedEvent, Stacktrace, Thread } from '@sonde/protocol/event'
import type { Mutable } from '../normalize/read.ts'
import { withOwnTitle } from './own-title.ts'

/** Of an event that was stored. What was not symbolicated is as it was. */
export function withRawStacks(event: NormalizedEvent): NormalizedEvent {
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.exception) out.exception = event.exception.map(withRawStack)
  if (event.threads) out.threads = event.threads.map(withRawStack)
  return withOwnTitle(out, event)
}

function withRawStack<Entry extends Exception | Thread>(entry: Entry): Entry {
  const { raw_stacktrace: before, stacktrace } = entry
  if (!stacktrace) return entry
  if (before && stacktrace.frames.some(isOurs)) {
    const { raw_stacktrace: _, ...rest } = entry
    return { ...rest, stacktrace: before } as Entry
  }
  if (!stacktrace.frames.some((frame) => frame.problem)) return entry
  return { ...entry, stacktrace: withoutProblems(stacktrace) }
}

function withoutProblems(stacktrace: Stacktrace): Stacktrace {
  const frames = stacktrace.frames.map(({ problem: _problem, ...frame }): Frame => frame)
  return { ...stacktrace, frames }
}

const isOurs = (frame: Frame): boolean => frame.data?.['symbolicated'] === true
