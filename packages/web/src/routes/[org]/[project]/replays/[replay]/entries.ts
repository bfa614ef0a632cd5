/**
 * What happened in a recording, as the SDK's own events in it say: breadcrumbs, requests, lines of the console, vitals.
 * They come from a page of strangers: what has another form is left out.
 */
import type { RecordedEvent } from './frame-messages.ts'

const ENTRY_KINDS = [
  'click',
  'rage',
  'dead',
  'input',
  'navigation',
  'data',
  'request',
  'console',
  'vital',
  'error',
  'other',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export type Entry = {
  /** Names it in lists. */
  readonly id: number
  readonly kind: EntryKind
  /** As the page's clock said. */
  readonly atMs: number
  readonly text: string
  /** Behind the text: a status, a duration, a rating. */
  readonly detail: string
  /** Of requests and lines of the console: it failed. */
  readonly isBad: boolean
  /** Of requests. */
  readonly durationMs?: number
  readonly status?: number
  readonly method?: string
  /** Of an error its issue, of a navigation its record. */
  readonly href?: string
}

/** Events that the SDK adds, among rrweb's. */
export const CUSTOM = 5
const META = 4
/** As many clicks as the SDK calls a rage click. */
const RAGE_CLICKS = 3
const MAX_TEXT = 2_000
/** More are not listed: nobody reads them, and each is kept in memory. */
export const MAX_ENTRIES = 20_000

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (raw: unknown): Fields => (typeof raw === 'object' && raw !== null ? (raw as Fields) : {})
const text = (raw: unknown): string => (typeof raw === 'string' ? raw.slice(0, MAX_TEXT) : '')
const number = (raw: unknown): number | undefined =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined

/** `firstId`: they are numbered from it. */
export function entriesOf(events: readonly RecordedEvent[], firstId: number): readonly Entry[] {
  const found: Entry[] = []
  for (const event of events) {
    const entry = entryOf(event)
    if (entry) found.push({ ...entry, id: firstId + found.length })
  }
  return found
}

type Found = Omit<Entry, 'id'>

function entryOf({ type, timestamp, data }: RecordedEvent): Found | undefined {
  const own = fieldsOf(data)
  if (type === META) {
    const url = text(own['href'])
    return url === ''
      ? undefined
      : { ...PLAIN, kind: 'navigation', atMs: timestamp, text: url, detail: 'page' }
  }
  if (type !== CUSTOM) return undefined
  const payload = fieldsOf(own['payload'])
  if (own['tag'] === 'breadcrumb') return breadcrumb(payload, timestamp)
  return own['tag'] === 'performanceSpan' ? span(payload, timestamp) : undefined
}

const PLAIN = { detail: '', isBad: false } as const

function breadcrumb(payload: Fields, fallbackMs: number): Found | undefined {
  const atMs = millis(payload['timestamp']) ?? fallbackMs
  const data = fieldsOf(payload['data'])
  const category = text(payload['category'])
  const message = text(payload['message'])
  const clicks = number(data['clickCount']) ?? 0
  switch (category) {
    case 'ui.click':
    // Of fingers on mobile SDKs.
    case 'ui.tap':
      return { ...PLAIN, kind: 'click', atMs, text: message }
    case 'ui.slowClickDetected': {
      if (data['endReason'] !== 'timeout')
        return { ...PLAIN, kind: 'other', atMs, text: message, detail: 'slow click' }
      const isRage = clicks >= RAGE_CLICKS
      return {
        kind: isRage ? 'rage' : 'dead',
        atMs,
        text: message,
        detail: isRage ? `${clicks} clicks, no reaction` : 'no reaction',
        isBad: true,
      }
    }
    case 'ui.multiClick':
      return clicks >= RAGE_CLICKS
        ? { kind: 'rage', atMs, text: message, detail: `${clicks} clicks`, isBad: true }
        : { ...PLAIN, kind: 'click', atMs, text: message, detail: `${clicks} clicks` }
    case 'ui.input':
    case 'ui.keyDown':
      return { ...PLAIN, kind: 'input', atMs, text: message || text(data['key']), detail: category.slice(3) }
    case 'navigation':
      return { ...PLAIN, kind: 'navigation', atMs, text: text(data['to']) || message, detail: 'route' }
    case 'console': {
      const level = text(payload['level']) || 'log'
      return {
        kind: 'console',
        atMs,
        text: message,
        detail: level,
        isBad: level === 'error' || level === 'fatal',
      }
    }
    default:
      return category === ''
        ? undefined
        : { ...PLAIN, kind: 'other', atMs, text: message || category, detail: category }
  }
}

function span(payload: Fields, fallbackMs: number): Found | undefined {
  const op = text(payload['op'])
  const atMs = millis(payload['startTimestamp']) ?? fallbackMs
  const endMs = millis(payload['endTimestamp']) ?? atMs
  const data = fieldsOf(payload['data'])
  const description = text(payload['description'])
  if (op.startsWith('resource.') || op.startsWith('navigation.navigate')) {
    const status = number(data['statusCode'])
    const isCall = op === 'resource.fetch' || op === 'resource.xhr' || op === 'resource.http'
    return {
      kind: 'request',
      atMs,
      text: description,
      detail: op.slice(op.indexOf('.') + 1),
      isBad: isCall && status !== undefined && (status >= 400 || status === 0),
      durationMs: Math.max(0, endMs - atMs),
      ...(status !== undefined && { status }),
      method: text(data['method']),
    }
  }
  if (op === 'web-vital' || op === 'largest-contentful-paint' || op === 'cumulative-layout-shift') {
    const value = number(data['value'])
    const rating = text(data['rating'])
    return {
      kind: 'vital',
      atMs,
      text: description || op,
      detail: [value === undefined ? '' : String(Math.round(value * 1000) / 1000), rating]
        .filter(Boolean)
        .join(' · '),
      isBad: rating === 'poor',
    }
  }
  return undefined
}

/** SDKs write seconds; some fields are milliseconds. */
function millis(raw: unknown): number | undefined {
  const value = number(raw)
  if (value === undefined || value <= 0) return undefined
  return value < 100_000_000_000 ? value * 1000 : value
}
