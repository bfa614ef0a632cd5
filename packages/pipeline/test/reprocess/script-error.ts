/** Errors of a bundled script, as its page sends them. */
import { eventIdOf } from '../commit/harness.ts'

export type ScriptError = {
  readonly id: number
  /** Decides the issue as long as nothing can be read. */
  readonly value: string
  /** Where it was thrown: what a map leads back to a function. */
  readonly column: number
  readonly debugId: string
  readonly release?: string
  /** Before now. */
  readonly ageMs?: number
}

export const debugIdOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** One moment for all, so that ages can be told exactly. */
const NOW_MS = Date.now()

export function scriptError({ id, value, column, debugId, release, ageMs = 0 }: ScriptError): string {
  const url = `https://shop.example/assets/app-${debugId.slice(-6)}.min.js`
  const frame = { function: 'x', filename: url, abs_path: url, lineno: 1, colno: column, in_app: true }
  const event = {
    event_id: eventIdOf(id),
    timestamp: (NOW_MS - ageMs) / 1000,
    platform: 'javascript',
    ...(release !== undefined && { release }),
    exception: { values: [{ type: 'TypeError', value, stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
  }
  return `{"event_id":"${event.event_id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}
