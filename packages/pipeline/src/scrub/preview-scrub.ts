/** What scrubbing rules would do to one sample: the same code that real events go through. */
import type { Json, NormalizedEvent, Pair } from '@sonde/protocol/event'
import { normalizeEvent, parseEventJson } from '../normalize/index.ts'
import { scrubEvent } from './scrub-event.ts'
import type { ScrubSettings } from './settings.ts'

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
  compare(before, after, '', (path) => removed.push({ path, rule: ruleAt(scrubbed, path) }))
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

/** Calls `onRemoved` for each leaf of `before` that is another or gone in `after`. */
function compare(
  before: Json,
  after: Json | undefined,
  path: string,
  onRemoved: (path: string) => void,
): void {
  if (before === after) return
  if (!isContainer(before) || (after !== undefined && !isContainer(after))) return onRemoved(path)
  const fields = after === undefined ? undefined : (after as Readonly<Record<string, Json>>)
  // A list that lost an entry has moved: reported as a whole: an index would name the wrong one.
  if (Array.isArray(before) && fields && before.length !== (after as readonly Json[]).length) {
    return onRemoved(path)
  }
  for (const [key, value] of Object.entries(before as Readonly<Record<string, Json>>)) {
    const now = fields && Object.hasOwn(fields, key) ? fields[key] : undefined
    // Headers, tags and the like are pairs: called by their name, as in `_meta`.
    if (Array.isArray(before) && isPair(value) && isPair(now)) {
      compare(value[1], now[1], joined(path, value[0]), onRemoved)
    } else if (now === undefined) onRemoved(joined(path, key))
    else compare(value, now, joined(path, key), onRemoved)
  }
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

const isPair = (value: Json | undefined): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null

/** By the remark at the path or at what holds it; only addresses go without one. */
function ruleAt({ _meta = {} }: NormalizedEvent, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const entry = Object.hasOwn(_meta, at) ? _meta[at] : undefined
    const rule = entry?.remarks.find((remark) => remark.kind === 'scrubbed')?.rule
    if (rule !== undefined) return rule
  }
  return '@ip'
}
