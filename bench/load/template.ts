/** A request that is made once and sent many times: only the event id, the time and the kind of its error change. */
import { crc32, deflateRawSync, constants } from 'node:zlib'

export type Template = {
  /** Head and body of one HTTP/1.1 request. */
  readonly bytes: Buffer
  /** Where the 32 hex digits of the event id stand. */
  readonly idOffsets: readonly number[]
  /** Where the last 16 of them stand alone, as the id of a span. */
  readonly spanOffsets: readonly number[]
  /** Where the ten digits of whole seconds since 1970 and the three after the point stand; none: the time is left alone. */
  readonly timeOffsets: readonly number[]
  /** Where the letters stand that make one error several. */
  readonly kindOffsets: readonly number[]
  /** The body is gzip, and ends with the checksum of what it unpacks to. */
  readonly unpacked?: { readonly template: Template; readonly scratch: Buffer }
}

export type Target = {
  readonly host: string
  readonly port: number
  readonly path: string
  /** Of the project, for `X-Sentry-Auth`. */
  readonly publicKey: string
}

/** Where a server of this machine takes a project's envelopes. */
export const envelopesOf = (
  port: number,
  { id, publicKey }: { readonly id: string | number; readonly publicKey: string },
): Target => ({ host: '127.0.0.1', port, path: `/api/${id}/envelope/`, publicKey })

/** 32 hex digits that no envelope has by accident. */
export const ID_PLACE = '5eed5eed5eed5eed5eed5eed5eed5eed'
/** 16 hex digits that no envelope has by accident: a page's vitals are told apart by the id of its root. */
export const SPAN_PLACE = '7ea57ea57ea57ea5'
/** A time in seconds that no envelope has by accident; the event's own is put in its place. */
export const TIME_PLACE = '1999999999.125'
/** Four letters that no envelope has by accident: each request has those of its kind in their place. */
export const KIND_PLACE = 'qzqz'

const ID_PREFIX_DIGITS = 16
const ID_COUNTER_DIGITS = 16

/** `envelope` names its event `ID_PLACE` wherever it does. Throws when it does nowhere. */
export function createTemplate(
  envelope: Buffer,
  target: Target,
  { gzip = false }: { readonly gzip?: boolean } = {},
): Template {
  const plain = withPlaces(envelope)
  if (plain.idOffsets.length === 0) throw new Error('the envelope does not name its event with ID_PLACE')
  const body = gzip ? gzipWithPlaces(plain) : envelope
  const head =
    `POST ${target.path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n` +
    `X-Sentry-Auth: Sentry sentry_version=7, sentry_client=sonde-bench/1, sentry_key=${target.publicKey}\r\n` +
    `Content-Type: application/x-sentry-envelope\r\n${gzip ? 'Content-Encoding: gzip\r\n' : ''}` +
    `Content-Length: ${body.length}\r\n\r\n`
  const template = withPlaces(Buffer.concat([Buffer.from(head, 'latin1'), body]))
  if (!gzip) return template
  return { ...template, unpacked: { template: plain, scratch: Buffer.allocUnsafeSlow(envelope.length) } }
}

const withPlaces = (bytes: Buffer): Template => ({
  bytes,
  idOffsets: offsetsOf(bytes, ID_PLACE),
  spanOffsets: offsetsOf(bytes, SPAN_PLACE),
  timeOffsets: offsetsOf(bytes, TIME_PLACE),
  kindOffsets: offsetsOf(bytes, KIND_PLACE),
})

const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex')
/** An empty block that says it is the last one. */
const LAST_BLOCK = Buffer.from('0300', 'hex')
const CHECKSUM_BYTES = 8

/**
 * What changes lies in blocks that are not compressed (RFC 1951, 3.2.4), so that it can be written over; what lies between in
 * blocks that refer to nothing before them. The checksum is written with each request.
 */
function gzipWithPlaces(plain: Template): Buffer {
  const places = [
    ...plain.idOffsets.map((at) => ({ at, length: ID_PLACE.length })),
    ...plain.spanOffsets.map((at) => ({ at, length: SPAN_PLACE.length })),
    ...plain.timeOffsets.map((at) => ({ at, length: TIME_PLACE.length })),
    ...plain.kindOffsets.map((at) => ({ at, length: KIND_PLACE.length })),
  ].toSorted((a, b) => a.at - b.at)
  const blocks: Buffer[] = [GZIP_HEAD]
  let from = 0
  for (const { at, length } of [...places, { at: plain.bytes.length, length: 0 }]) {
    const between = plain.bytes.subarray(from, at)
    if (between.length > 0) blocks.push(deflateRawSync(between, { finishFlush: constants.Z_FULL_FLUSH }))
    if (length > 0) blocks.push(storedBlock(plain.bytes.subarray(at, at + length)))
    from = at + length
  }
  const size = Buffer.alloc(CHECKSUM_BYTES)
  size.writeUInt32LE(plain.bytes.length, 4)
  return Buffer.concat([...blocks, LAST_BLOCK, size])
}

function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(~bytes.length & 0xffff, 3)
  return Buffer.concat([head, bytes])
}

function offsetsOf(bytes: Buffer, text: string): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) offsets.push(at)
  return offsets
}

/** `prefix` is what one run's ids have in common, so that runs never meet. */
export function eventId(prefix: string, counter: number): string {
  return prefix + counter.toString(16).padStart(ID_COUNTER_DIGITS, '0')
}

export function idPrefix(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, ID_PREFIX_DIGITS)
}

/** What one request has in the places of its template. */
export type Filling = { readonly id: string; readonly nowMs: number; readonly kind: number }

/** Writes one request into `into` (at least as long as the template) and returns how many bytes it has. */
export function fillTemplate(template: Template, into: Buffer, filling: Filling): number {
  const { id, nowMs, kind } = filling
  template.bytes.copy(into)
  for (const at of template.idOffsets) into.write(id, at, 'latin1')
  for (const at of template.spanOffsets) into.write(id.slice(ID_PREFIX_DIGITS), at, 'latin1')
  if (template.timeOffsets.length > 0) {
    const time = (nowMs / 1000).toFixed(3)
    for (const at of template.timeOffsets) into.write(time, at, 'latin1')
  }
  if (template.kindOffsets.length > 0) {
    const letters = kindLetters(kind)
    for (const at of template.kindOffsets) into.write(letters, at, 'latin1')
  }
  const { length } = template.bytes
  if (template.unpacked) {
    fillTemplate(template.unpacked.template, template.unpacked.scratch, filling)
    into.writeUInt32LE(crc32(template.unpacked.scratch), length - CHECKSUM_BYTES)
  }
  return length
}

const LETTERS = 26
const FIRST_LETTER = 97

/** Letters, because numbers in a text count as its parameters. */
function kindLetters(kind: number): string {
  let letters = ''
  for (let rest = kind, at = 0; at < KIND_PLACE.length; at++, rest = Math.floor(rest / LETTERS))
    letters = String.fromCharCode(FIRST_LETTER + (rest % LETTERS)) + letters
  return letters
}
