/** What is asked of stored events when a file comes late: which files they need, and whether they can be read. */
import type { Frame, NormalizedEvent, Stacktrace } from '@sonde/protocol/event'
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import { debugIdsOf, placeOf } from './script-frames.ts'

// A page loads some dozen scripts.
const MAX_DEBUG_IDS = 200

/** Debug ids of the files of all frames, as they came. */
export function debugIdColumn(event: NormalizedEvent): readonly string[] {
  const ids = debugIdsOf(event)
  if (ids.size === 0) return []
  const used = new Set<string>()
  for (const stack of rawStacks(event))
    for (const frame of stack.frames) {
      const id = placeOf(frame, event.platform, ids)?.debugId
      if (id !== undefined) used.add(id)
    }
  return [...used].sort().slice(0, MAX_DEBUG_IDS)
}

/** The problem that most frames of the application have; empty: all of them can be read. */
export function unreadableColumn(event: NormalizedEvent): FrameProblem | '' {
  const counts = new Map<FrameProblem, number>()
  for (const { stacktrace } of [...(event.exception ?? []), ...(event.threads ?? [])])
    for (const { problem, in_app: isOwn } of stacktrace?.frames ?? [])
      if (problem && isOwn) counts.set(problem.reason, (counts.get(problem.reason) ?? 0) + 1)
  let most: FrameProblem | '' = ''
  for (const [reason, count] of counts) if (most === '' || count > (counts.get(most) ?? 0)) most = reason
  return most
}

function rawStacks(event: NormalizedEvent): Stacktrace[] {
  return [...(event.exception ?? []), ...(event.threads ?? [])]
    .map(({ stacktrace, raw_stacktrace: before }) =>
      before && stacktrace?.frames.some(isMapped) ? before : stacktrace,
    )
    .filter((stack) => stack !== undefined)
}

const isMapped = ({ data }: Frame): boolean => data?.['symbolicated'] === true
