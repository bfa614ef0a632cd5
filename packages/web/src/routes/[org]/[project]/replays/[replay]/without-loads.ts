/**
 * Elements that make a browser look up or connect to a host without loading anything, which no policy forbids. The pipeline
 * takes them out before a recording is stored; what was stored by something else is looked at here once more.
 */
import type { RecordedEvent } from './frame-messages.ts'

/** As the pipeline's: a page nests some dozen elements, each two deep. */
const MAX_DEPTH = 500
const FULL_SNAPSHOT = 2
const INCREMENTAL = 3
const NEVER: ReadonlySet<string> = new Set(['script', 'object', 'embed', 'applet', 'base', 'frame', 'portal'])

/** Changes the event that it is given: a page has some megabytes. */
export function withoutLoads(event: RecordedEvent): RecordedEvent {
  if (event.type === FULL_SNAPSHOT || event.type === INCREMENTAL) disarm(event.data, 0)
  return event
}

function disarm(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const each of value) disarm(each, depth + 1)
    return
  }
  const record = value as Record<string, unknown>
  if (typeof record['tagName'] === 'string') {
    const tag = record['tagName'].toLowerCase()
    const attributes = record['attributes']
    const has = (name: string): boolean =>
      typeof attributes === 'object' && attributes !== null && name in attributes
    if (NEVER.has(tag) || (tag === 'meta' && has('http-equiv')) || (tag === 'link' && !has('_cssText')))
      record['tagName'] = 'noscript'
  }
  for (const key of Object.keys(record)) if (key !== 'attributes') disarm(record[key], depth + 1)
}
