/** A request that is made once and sent many times: only the event id and the time in it change. */

export type Template = {
  /** Head and body of one HTTP/1.1 request. */
  readonly bytes: Buffer
  /** Where the 32 hex digits of the event id stand. */
  readonly idOffsets: readonly number[]
  /** Where the last 16 of them stand alone, as the id of a span. */
  readonly spanOffsets: readonly number[]
  /** Where the ten digits of whole seconds since 1970 and the three after the point stand; none: the time is left alone. */
  readonly timeOffsets: readonly number[]
}

export type Target = {
  readonly host: string
  readonly port: number
  readonly path: string
  /** Of the project, for `X-Sentry-Auth`. */
  readonly publicKey: string
}

/** 32 hex digits that no envelope has by accident. */
export const ID_PLACE = '5eed5eed5eed5eed5eed5eed5eed5eed'
/** 16 hex digits that no envelope has by accident: a page's vitals are told apart by the id of its root. */
export const SPAN_PLACE = '7ea57ea57ea57ea5'
/** A time in seconds that no envelope has by accident; the event's own is put in its place. */
export const TIME_PLACE = '1999999999.125'

const ID_PREFIX_DIGITS = 16
const ID_COUNTER_DIGITS = 16

/** `envelope` names its event `ID_PLACE` wherever it does. Throws when it does nowhere. */
export function createTemplate(envelope: Buffer, target: Target): Template {
  const head =
    `POST ${target.path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n` +
    `X-Sentry-Auth: Sentry sentry_version=7, sentry_client=sonde-bench/1, sentry_key=${target.publicKey}\r\n` +
    `Content-Type: application/x-sentry-envelope\r\nContent-Length: ${envelope.length}\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), envelope])
  const idOffsets = offsetsOf(bytes, ID_PLACE)
  if (idOffsets.length === 0) throw new Error('the envelope does not name its event with ID_PLACE')
  return {
    bytes,
    idOffsets,
    spanOffsets: offsetsOf(bytes, SPAN_PLACE),
    timeOffsets: offsetsOf(bytes, TIME_PLACE),
  }
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

/** Writes one request into `into` (at least as long as the template) and returns how many bytes it has. */
export function fillTemplate(template: Template, into: Buffer, id: string, nowMs: number): number {
  template.bytes.copy(into)
  for (const at of template.idOffsets) into.write(id, at, 'latin1')
  for (const at of template.spanOffsets) into.write(id.slice(ID_PREFIX_DIGITS), at, 'latin1')
  if (template.timeOffsets.length > 0) {
    const time = (nowMs / 1000).toFixed(3)
    for (const at of template.timeOffsets) into.write(time, at, 'latin1')
  }
  return template.bytes.length
}
