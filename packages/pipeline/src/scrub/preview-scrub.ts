/** What scrubbing rules would do to one sample: the same code that real events go through. */
import type { Json, NormalizedEvent } from '@sonde/protocol/event'
import { normalizeEvent, parseEventJson } from '../normalize/index.ts'
import { compareLeaves, ruleAt } from './changed-leaves.ts'
import { scrubEvent } from './scrub-event.ts'
import type { ScrubSettings } from './settings.ts'

export { tryStored } from './stored/try-stored.ts'

export type ScrubPreview =
  | {
      readonly ok: true
      /** As it would be stored without any rule, and with them. */
      readonly before: Json
      readonly after: Json
      readonly removed: readonly { readonly path: string; readonly rule: string }[]
    }
  | { readonly ok: false; readonly message: string }

const encoder = new TextEncoder()
/** The sample says when it happened, or this does: the preview of the same sample is always the same. */
const CONTEXT = {
  eventId: '0'.repeat(32),
  receivedMs: Date.UTC(2026, 0, 1),
  retentionDays: 36_500,
  itemType: 'event',
} as const

/** `sample` is the JSON of an event, or of any object. Never throws; pure. */
export function previewScrub(settings: ScrubSettings, sample: string): ScrubPreview {
  const parsed = parseEventJson(encoder.encode(sample))
  if (!parsed.ok) return { ok: false, message: `This is no JSON: ${parsed.detail}` }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, message: 'This is no JSON object.' }
  }
  const stored = normalizeEvent(value, CONTEXT)
  const scrubbed = scrubEvent(stored, settings)
  const { before, after } = { before: shown(stored, value), after: shown(scrubbed, value) }
  const removed: { path: string; rule: string }[] = []
  compareLeaves(before, after, '', (path) => removed.push({ path, rule: ruleAt(scrubbed, path) }))
  return { ok: true, before, after, removed }
}

/** Without what the server adds: it is no part of what somebody pasted. */
function shown(event: NormalizedEvent, sample: object): Json {
  const { derived: _derived, _meta, errors: _errors, received: _received, ...rest } = event
  const kept = Object.entries(rest).filter(([field]) => !isAdded(field) || Object.hasOwn(sample, field))
  return Object.fromEntries(kept)
}

const isAdded = (field: string): boolean =>
  ['event_id', 'type', 'platform', 'level', 'timestamp'].includes(field)
