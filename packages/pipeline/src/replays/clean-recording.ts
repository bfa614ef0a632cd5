/**
 * Takes out of a recording what must not be stored: secrets in texts, values, addresses and breadcrumbs by the rules that
 * hold for events, and what could load or run something when the page is built again. The player keeps both away as well.
 * What only its place in the page gives away (a name in a paragraph) is the SDK's to mask: docs/replay.md.
 */
import type { JsonObject } from '@sonde/protocol/event'
import { createRemarks, rootScope } from '../normalize/meta-remarks.ts'
import { isObject } from '../normalize/read-fields.ts'
import { scrubJson } from '../scrub/scrub-json.ts'
import { scrubText } from '../scrub/scrub-text.ts'
import { type KeyRules, keyRulesOf, type ScrubSettings } from '../scrub/settings.ts'
import type { RecordedEvent } from './read-recording.ts'

/** A page nests some dozen elements, each two deep in the JSON. What is below is left out. */
const MAX_DEPTH = 500
const MIN_TEXT = 8
const CUSTOM = 5
const INCREMENTAL = 3
/** Drawing is code of the recording's: it is not kept. */
const CANVAS_MUTATION = 9
/** Styles and images hold no words of people, and are most of the bytes. */
const NOT_SCRUBBED: ReadonlySet<string> = new Set(['_cssText', 'rr_dataURL', 'rr_src', 'cssText'])
const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'xlink:href',
  'data',
  'poster',
])
const NEVER_BUILT: ReadonlySet<string> = new Set([
  'script',
  'object',
  'embed',
  'applet',
  'base',
  'frame',
  'portal',
])

export function cleanRecording(
  events: readonly RecordedEvent[],
  settings: ScrubSettings,
): readonly RecordedEvent[] {
  const keys = settings.enabled ? keyRulesOf(settings) : undefined
  return events.flatMap((event) => {
    if (event.type === INCREMENTAL && isObject(event.data) && event.data.source === CANVAS_MUTATION) return []
    const clean: unknown =
      event.type !== CUSTOM
        ? cleaned(event, keys, 0)
        : keys
          ? scrubJson(rootScope(createRemarks()), event as JsonObject, keys)
          : event
    return isObject(clean) ? [{ ...clean, type: event.type, timestamp: event.timestamp }] : []
  })
}

function cleaned(value: unknown, keys: KeyRules | undefined, depth: number, name = ''): unknown {
  if (typeof value === 'string') return withoutSecrets(value, name, keys)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return Array.isArray(value) ? [] : null
  if (Array.isArray(value)) {
    const list = value.map((each: unknown) => cleaned(each, keys, depth + 1, name))
    return name === 'childNodes' || name === 'adds' ? list.filter((each) => each !== null) : list
  }
  const record = value as Readonly<Record<string, unknown>>
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    // A `__proto__` in JSON is an own member; set on the copy it would be none.
    if (key === '__proto__') continue
    const inner = record[key]
    copy[key] =
      key === 'attributes' && isObject(inner) && !Array.isArray(inner)
        ? cleanedAttributes(inner, record, keys, depth + 1)
        : cleaned(inner, keys, depth + 1, key)
  }
  if (typeof copy['tagName'] === 'string') copy['tagName'] = builtAs(copy['tagName'], copy['attributes'])
  return copy
}

/** Elements keep their number, which later events name; what they are is taken from them. */
function builtAs(tagName: string, attributes: unknown): string {
  const tag = tagName.toLowerCase()
  if (NEVER_BUILT.has(tag)) return 'noscript'
  if (tag === 'meta' && isObject(attributes) && 'http-equiv' in attributes) return 'noscript'
  // Its style sheet is in `_cssText`; everything else that a link does is a request.
  if (tag === 'link' && !(isObject(attributes) && '_cssText' in attributes)) return 'noscript'
  return tagName
}

function cleanedAttributes(
  attributes: Readonly<Record<string, unknown>>,
  node: Readonly<Record<string, unknown>>,
  keys: KeyRules | undefined,
  depth: number,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  const isPassword = attributes['type'] === 'password' && node['tagName'] === 'input'
  for (const key of Object.keys(attributes)) {
    const name = key.toLowerCase()
    if (name.startsWith('on') || name === 'srcdoc' || name === 'ping' || key === '__proto__') continue
    const value = attributes[key]
    if (ADDRESSES.has(name) && typeof value === 'string' && isCode(value)) continue
    copy[key] =
      isPassword && name === 'value' && typeof value === 'string'
        ? '*'.repeat(Math.min(value.length, 32))
        : cleaned(value, keys, depth, key)
  }
  return copy
}

/** Browsers skip blanks and control characters in front of a scheme and within it. */
function isCode(address: string): boolean {
  let plain = ''
  for (let at = 0; at < address.length && plain.length < 11; at++)
    if (address.charCodeAt(at) > 0x20) plain += address[at]
  const scheme = plain.toLowerCase()
  return scheme.startsWith('javascript:') || scheme.startsWith('vbscript:')
}

function withoutSecrets(text: string, name: string, keys: KeyRules | undefined): string {
  if (keys === undefined || text.length < MIN_TEXT || NOT_SCRUBBED.has(name) || text.startsWith('data:'))
    return text
  return scrubText(text, keys)?.text ?? text
}
