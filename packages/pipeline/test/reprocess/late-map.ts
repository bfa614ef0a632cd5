/** A source map that comes late, in small: leads columns of a script back to functions. Grouping and rows are the real ones. */
import type { Frame, NormalizedEvent, Stacktrace } from '@sonde/protocol/event'
import { groupEvent } from '../../src/group/group-event.ts'
import type { Reprocess } from '../../src/reprocess/gather-events.ts'
import { eventFields, issueFields } from '../../src/stages/encode.ts'
import type { StoredEvent } from '../../src/symbolicate/reprocess-event.ts'

/** Column → function. */
export type LateMap = Readonly<Record<number, string>>

export const reprocessWith =
  (mapOf: () => LateMap): Reprocess =>
  (events) =>
    Promise.resolve(events.map((event) => reprocessOne(event, mapOf())))

function reprocessOne(stored: StoredEvent, map: LateMap) {
  const { projectId, logPosition: position, itemIndex, receivedMs, payload } = stored
  const before = JSON.parse(payload) as NormalizedEvent
  const [exception] = before.exception ?? []
  const raw = exception?.raw_stacktrace ?? exception?.stacktrace
  if (!exception || !raw) return { ok: false as const, detail: 'no stack' }
  const stacktrace: Stacktrace = { frames: raw.frames.map((frame) => mapped(frame, map)) }
  const isMapped = stacktrace.frames.some((frame, at) => frame !== raw.frames[at])
  const readable: NormalizedEvent = isMapped
    ? {
        ...before,
        exception: [{ ...exception, stacktrace, raw_stacktrace: raw }],
        derived: { ...before.derived, title: `in ${stacktrace.frames.at(-1)?.function}` },
      }
    : before
  const grouping = groupEvent(readable)
  const { hashes } = grouping
  const event = { ...readable, derived: { ...readable.derived, grouping } }
  const fields = eventFields({ event, hashes, position, itemIndex, projectId, receivedMs })
  const changed = JSON.stringify(event) !== payload
  return { ok: true as const, changed, fields, hashes, issue: issueFields(event, fields) }
}

function mapped(frame: Frame, map: LateMap): Frame {
  const name = map[frame.colno ?? 0]
  if (name === undefined) return frame
  const { problem: _, ...rest } = frame
  return {
    ...rest,
    function: name,
    filename: `src/${name}.ts`,
    abs_path: `src/${name}.ts`,
    context_line: `  ${name}(cart)`,
    data: { sourcemap: 'app.js.map', symbolicated: true },
  }
}
