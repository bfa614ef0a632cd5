/**
 * What a native SDK had written down before the crash: the event (release, user, tags, contexts) and the last breadcrumbs,
 * which Crashpad sends as files in MessagePack beside the dump. https://docs.sentry.io/platforms/native/guides/minidumps/
 */
import type { EnvelopeItem, ItemHeader } from '@sonde/protocol/envelope'
import { isObject, type RawObject } from '../normalize/read-fields.ts'
import { readMsgpack } from '../normalize/read-msgpack.ts'

type Part = 'event' | 'breadcrumbs'

const BY_NAME: Readonly<Record<string, Part>> = {
  '__sentry-event': 'event',
  '__sentry-breadcrumb1': 'breadcrumbs',
  '__sentry-breadcrumb2': 'breadcrumbs',
}
const BY_TYPE: Readonly<Record<string, Part>> = {
  'event.payload': 'event',
  'event.breadcrumbs': 'breadcrumbs',
}
// An event that is sent as JSON may have as much.
const MAX_BYTES = 1_000_000

export function partOf(header: ItemHeader): Part | undefined {
  if (header.type !== 'attachment') return undefined
  const { attachment_type: type, filename: name } = header
  if (typeof type === 'string' && Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type]
  return typeof name === 'string' && Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
}

/** RawObject of an event; empty if no part can be read. The SDK writes into two files in turn: together they are in order. */
export function fieldsOfParts(items: readonly EnvelopeItem[]): RawObject {
  let event: RawObject = {}
  const files: RawObject[][] = []
  for (const { header, payload } of items) {
    const part = partOf(header)
    if (part === undefined || payload.length > MAX_BYTES) continue
    const values = (readMsgpack(payload) ?? []).map(withoutBytes).filter(isObject)
    if (part === 'event') event = values[0] ?? event
    else files.push(values)
  }
  const longest = Math.max(0, ...files.map(({ length }) => length))
  if (longest === 0) return event
  const crumbs = files.flat().toSorted((a, b) => timeOf(a) - timeOf(b))
  return { ...event, breadcrumbs: { values: crumbs.slice(-longest) } }
}

function timeOf({ timestamp }: RawObject): number {
  const ms = typeof timestamp === 'number' ? timestamp * 1000 : Date.parse(String(timestamp))
  return Number.isNaN(ms) ? 0 : ms
}

/** JSON has no bytes, and none of an event's fields is made of them. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array || typeof value === 'bigint') return null
  if (Array.isArray(value)) return value.map(withoutBytes)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]))
}
