/**
 * What a span did without what tells one call from another: what the pages of queries, requests, assets, caches and queues
 * group by. Each answer is a column of `spans`; rows of before have what the engine makes of them
 * (`packages/stores/src/telemetry/tables/spans.ts`). docs/insights.md
 */
import { normalizeAddress, normalizeStatement } from '../detect/normalize-statement.ts'
import { numberOf, textOf } from './attributes.ts'
import type { Span } from './span.ts'

export type NormalizedSpan = {
  /** A statement, an address, a file, a cache's key, a queue; empty where a span does none of these. */
  readonly normalizedName: string
  /** The host, or the database, cache or messaging system; empty when unknown. */
  readonly peer: string
  /** The status code of a request; `hit` or `miss` of a cache; `blocking` or `non-blocking` of an asset. */
  readonly result: string
  /** Of an answer or a file over the network, of a cache's item, of a message. Absent: nobody said. */
  readonly bytes?: number | undefined
  /** Of a file, after decompression. */
  readonly decodedBytes?: number | undefined
  /** How long a message waited in its queue. */
  readonly waitMs?: number | undefined
}

const NONE: NormalizedSpan = { normalizedName: '', peer: '', result: '' }
// Both are dictionary columns: a name is a word, and longer ones are mistakes.
const MAX_PEER = 200
const MAX_RESULT = 40
const MAX_NAME = 1000
const MAX_READ = 4096
/** More is a mistake, and would be all that a sum says. */
const MAX_NUMBER = 1e13

export function normalizedSpan(span: Pick<Span, 'op' | 'name' | 'attributes'>): NormalizedSpan {
  const { op } = span
  const found = FAMILIES.find(({ isOf }) => isOf(op))
  if (!found) return NONE
  const { normalizedName, peer, result, bytes, decodedBytes, waitMs } = found.read(span)
  return {
    bytes: positive(bytes),
    decodedBytes: positive(decodedBytes),
    waitMs: positive(waitMs),
    normalizedName: normalizedName.slice(0, MAX_NAME),
    peer: peer.slice(0, MAX_PEER),
    result: result.slice(0, MAX_RESULT),
  }
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? Math.min(value, MAX_NUMBER) : undefined

const isBelow = (op: string, family: string): boolean => op === family || op.startsWith(`${family}.`)

type Family = {
  readonly isOf: (op: string) => boolean
  readonly read: (span: Pick<Span, 'name' | 'attributes'>) => NormalizedSpan
}

/** https://develop.sentry.dev/sdk/telemetry/traces/span-operations/ */
const FAMILIES: readonly Family[] = [
  { isOf: (op) => isBelow(op, 'db'), read: query },
  { isOf: (op) => isBelow(op, 'http.client'), read: request },
  { isOf: (op) => op.startsWith('resource.'), read: asset },
  { isOf: (op) => op.startsWith('cache.'), read: cache },
  { isOf: (op) => op === 'queue.publish' || op === 'queue.process', read: queue },
]

function query({ name, attributes }: Pick<Span, 'name' | 'attributes'>): NormalizedSpan {
  const statement = name || textOf(attributes, 'db.query.text', 'db.statement')
  return {
    normalizedName: normalizeStatement(statement),
    peer: textOf(attributes, 'db.system.name', 'db.system'),
    result: '',
  }
}

/** `GET https://…` and `GET /…`: the second stays, its host is the attribute's. Streamed, `GET shop.test` says no path. */
function request({ name, attributes }: Pick<Span, 'name' | 'attributes'>): NormalizedSpan {
  const address = textOf(attributes, 'url.full', 'http.url', 'url')
  const isPathless = address !== '' && /^[A-Z]{1,10}(?: [^/]*)?$/.test(name)
  const called = isPathless ? `${name.split(' ', 1)[0]} ${address}` : name || address
  const [first = '', ...parts] = normalizeAddress(called).split('/')
  return {
    normalizedName: [first, ...parts.map((part) => (isId(part) ? '*' : part))].join('/'),
    peer: textOf(attributes, 'server.address') || hostOf(name) || hostOf(address),
    result: textOf(attributes, 'http.response.status_code', 'http.status_code'),
    bytes: numberOf(
      attributes,
      'http.response_transfer_size',
      'http.response.body.size',
      'http.response_content_length',
    ),
  }
}

/** SDKs leave out the page's own origin: a path is of the page's host. */
function asset({ name, attributes }: Pick<Span, 'name' | 'attributes'>): NormalizedSpan {
  return {
    normalizedName: normalizeAsset(name),
    peer: hostOf(name) || textOf(attributes, 'server.address'),
    result: textOf(attributes, 'resource.render_blocking_status'),
    bytes: numberOf(attributes, 'http.response_transfer_size', 'http.response.size'),
    decodedBytes: numberOf(attributes, 'http.decoded_response_content_length'),
  }
}

/** `cache.key` is one key, or a list of them as JSON. */
function cache({ name, attributes }: Pick<Span, 'name' | 'attributes'>): NormalizedSpan {
  const hit = textOf(attributes, 'cache.hit').toLowerCase()
  return {
    normalizedName: normalizeKey(firstOf(textOf(attributes, 'cache.key')) || name),
    peer: textOf(attributes, 'db.system.name', 'db.system', 'cache.system', 'network.peer.address'),
    result: hit === 'true' || hit === '1' ? 'hit' : hit === 'false' || hit === '0' ? 'miss' : '',
    bytes: numberOf(attributes, 'cache.item_size'),
  }
}

function queue({ name, attributes }: Pick<Span, 'name' | 'attributes'>): NormalizedSpan {
  return {
    normalizedName: textOf(attributes, 'messaging.destination.name', 'messaging.destination') || name,
    peer: textOf(attributes, 'messaging.system'),
    result: '',
    bytes: numberOf(attributes, 'messaging.message.body.size', 'messaging.message.envelope.size'),
    waitMs: numberOf(attributes, 'messaging.message.receive.latency'),
  }
}

/** Lower case, without user, port and path; empty when the text names no host. */
export function hostOf(text: string): string {
  const from = text.slice(0, MAX_READ).indexOf('//')
  if (from < 0) return ''
  const rest = text.slice(from + 2, from + 2 + 512)
  const end = rest.search(/[/?#\s]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const port = /:\d{1,5}$/.exec(host)
  return (port ? host.slice(0, port.index) : host).toLowerCase()
}

/**
 * An address of a file without its query, with `*` for ids in the path and for what a build puts into names:
 * `/assets/cart-B3kx81Qz.js` → `/assets/cart-*.js`, `main.3f2a9c81.chunk.css` → `main.*.chunk.css`.
 */
export function normalizeAsset(name: string): string {
  const text = name.slice(0, MAX_READ)
  // Written out, they are contents and not files.
  if (text.startsWith('data:')) return 'data:*'
  if (text.startsWith('blob:')) return 'blob:*'
  const parts = normalizeAddress(text).split('/')
  const file = parts.pop() ?? ''
  return [...parts.map((part) => (isBuildId(part) ? '*' : part)), withoutHash(file)].join('/')
}

/** `-` or `.`, eight letters and digits of a hash, and the ending: Vite's and Rollup's may hold `-` and `_`. */
const SHORT_HASH = /^(.*[-.])([\w-]{8})((?:\.[A-Za-z]\w{0,9}){1,3})$/

function withoutHash(file: string): string {
  const short = SHORT_HASH.exec(file)
  if (short && isMixed(short[2] ?? '')) return `${short[1]}*${short[3]}`
  return file
    .split(/([-._~])/)
    .map((part) => (isHash(part) ? '*' : part))
    .join('')
}

const isHash = (part: string): boolean =>
  (part.length >= 6 && /^[0-9a-f]+$/.test(part) && /[0-9]/.test(part)) ||
  (part.length >= 8 && /^[0-9A-Za-z]+$/.test(part) && /[0-9]/.test(part) && /[A-Za-z]/.test(part))

/** A name like `calendar` is no hash; one of upper and lower letters or of digits is. */
const isMixed = (part: string): boolean =>
  /[0-9]/.test(part) || (/[a-z]/.test(part) && /[A-Z]/.test(part.slice(1)))

/** A folder that each build names anew, as Next.js does. */
const isBuildId = (part: string): boolean =>
  part.length >= 16 && /^[\w-]+$/.test(part) && /[0-9]/.test(part) && /[A-Z]/.test(part)

function firstOf(key: string): string {
  if (!key.startsWith('[')) return key
  const first = /^\[\s*"((?:[^"\\]|\\.){0,500})/.exec(key)?.[1]
  return first ?? key
}

const MAIL = /[\w.+%-]{1,64}@[\w.-]{1,190}/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** `user:42:cart` → `user:*:cart`: numbers, long hexadecimal parts and what looks like an address of mail. */
export function normalizeKey(key: string): string {
  return key
    .slice(0, 512)
    .replace(UUID, '*')
    .replace(MAIL, '*')
    .split(/([:/.,|#\s_-])/)
    .map((part) => (isValue(part) ? '*' : part))
    .join('')
}

/** Of a path; a name of a host has dots. */
const isId = (part: string): boolean =>
  part.length >= 6 &&
  /[0-9]/.test(part) &&
  (/^[0-9a-fA-F]+$/.test(part) || (part.length >= 16 && /^[\w-]+$/.test(part)))

const isValue = (part: string): boolean =>
  /^[0-9]+$/.test(part) ||
  (part.length >= 6 && /^[0-9a-fA-F]+$/.test(part) && /[0-9]/.test(part)) ||
  (part.length >= 12 && /[0-9]/.test(part))
