/**
 * What was thrown, out of an OTLP request: events of spans named `exception`, and log records with `exception.*` attributes.
 * Each becomes an error event as a Sentry SDK would have sent it, and goes the way of those.
 * https://opentelemetry.io/docs/specs/semconv/exceptions/
 */
import { hash } from 'node:crypto'
import { hexId } from '../normalize/contexts.ts'
import { cutText, isObject, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { type Attributes, readAttributes, textOf } from '../spans/attributes.ts'
import { factsOfAttributes } from '../spans/facts-of-attributes.ts'
import type { EventInput, EnvelopeFacts } from '../stages/event-input.ts'
import type { OtlpLog, OtlpResource, OtlpSpan } from './otlp-request.ts'
import { aroundItems } from './semantics.ts'
import { readStackText } from './stack-text.ts'

/** More in one request are an accident; each is parsed and grouped. */
const MAX_EXCEPTIONS = 100
const MAX_TYPE = 200
const MAX_VALUE = 8_192
const MAX_RAW_STACK = 8_000

type Thrown = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly atMs: number | undefined
  /** Of the exception alone. */
  readonly own: RawObject
  /** Of the span or the record with its resource. */
  readonly attributes: Readonly<Attributes>
  /** Name of the span. */
  readonly name: string
}

export type Exceptions = {
  /** Each has the payload of one event. */
  readonly inputs: readonly EventInput[]
  /** Behind the last that a request may hold. */
  readonly tooMany: number
}

/** Whether it is worth reading the bytes of a request again: most hold none. */
export const mayHoldExceptions = (payload: Uint8Array): boolean =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).includes('exception.')

type Input = EventInput & { readonly envelope: EnvelopeFacts }

export function exceptionsOfSpans(resources: readonly OtlpResource[], input: Input): Exceptions {
  const thrown = resources.flatMap((resource) =>
    resource.scopes.flatMap((scope) =>
      scope.items.flatMap((span) => {
        const events = span?.events.filter(({ name }) => name === 'exception') ?? []
        if (span === undefined || events.length === 0) return []
        const attributes = attributesOf(span.attributes, scope, resource)
        return events.map((event): Thrown => ({
          ...idsOf(span),
          atMs: event.atMs ?? span.endMs,
          own: event.attributes,
          attributes,
          name: span.name,
        }))
      }),
    ),
  )
  return eventsOf(thrown, input)
}

export function exceptionsOfLogs(resources: readonly OtlpResource<OtlpLog>[], input: Input): Exceptions {
  const thrown = resources.flatMap((resource) =>
    resource.scopes.flatMap((scope) =>
      scope.items.flatMap((log): Thrown[] => {
        if (log === undefined || !hasType(log.attributes)) return []
        const attributes = attributesOf(log.attributes, scope, resource)
        return [
          { ...idsOf(log), atMs: log.atMs ?? log.observedMs, own: log.attributes, attributes, name: '' },
        ]
      }),
    ),
  )
  return eventsOf(thrown, input)
}

const attributesOf = (
  own: RawObject,
  scope: { readonly name: string; readonly version: string },
  resource: { readonly attributes: RawObject },
): Readonly<Attributes> => readAttributes(own, aroundItems(scope, resource).attributes).attributes

const hasType = (attributes: RawObject): boolean =>
  textIn(attributes, 'exception.type') !== '' || textIn(attributes, 'exception.message') !== ''

const textIn = (attributes: RawObject, name: string): string =>
  Object.hasOwn(attributes, name) ? (lenientText(attributes[name]) ?? '') : ''

const idsOf = (item: Pick<OtlpSpan, 'traceId' | 'spanId'> & { readonly parentSpanId?: unknown }) => ({
  traceId: hexId(item.traceId, 32) ?? '',
  spanId: hexId(item.spanId, 16) ?? '',
  parentSpanId: hexId(item.parentSpanId, 16) ?? '',
})

function eventsOf(thrown: readonly Thrown[], input: Input): Exceptions {
  const seen = new Set<string>()
  const once = thrown
    .filter(({ own }) => hasType(own))
    // What goes up through spans is recorded by each: the first that recorded it is where it was thrown.
    .toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
    .filter((each) => {
      const key = hash('sha256', JSON.stringify([each.traceId, ...factsOf(each.own)]), 'hex')
      const isNew = each.traceId === '' || !seen.has(key)
      seen.add(key)
      return isNew
    })
  const inputs = once.slice(0, MAX_EXCEPTIONS).map((each): EventInput => {
    const eventId = eventIdOf(each)
    return { ...input, eventId, payload: Buffer.from(JSON.stringify(rawEvent(each, eventId, input))) }
  })
  return { inputs, tooMany: once.length - inputs.length }
}

const factsOf = (own: RawObject): readonly string[] =>
  ['exception.type', 'exception.message', 'exception.stacktrace'].map((name) => textIn(own, name))

/** The same from the span's event and from the log record of one span; of no span by its time. */
function eventIdOf({ traceId, spanId, atMs, own }: Thrown): string {
  const [type = '', message = ''] = factsOf(own)
  const place = spanId === '' ? [atMs ?? 0] : []
  return hash(
    'sha256',
    JSON.stringify(['otel exception', traceId, spanId, type, message, ...place]),
    'hex',
  ).slice(0, 32)
}

const PLATFORMS: Readonly<Record<string, string>> = {
  nodejs: 'node',
  webjs: 'javascript',
  python: 'python',
  java: 'java',
  go: 'go',
  dotnet: 'csharp',
  php: 'php',
  ruby: 'ruby',
  rust: 'rust',
  cpp: 'native',
}

function rawEvent(thrown: Thrown, eventId: string, { envelope, receivedMs }: Input): RawObject {
  const { attributes, own, traceId, spanId, parentSpanId, atMs, name } = thrown
  const text = (...names: string[]): string => textOf(attributes, ...names)
  const [type = '', message = '', stack = ''] = factsOf(own)
  const read = stack === '' ? undefined : readStackText(stack)
  const facts = factsOfAttributes(attributes, envelope)
  const language = text('telemetry.sdk.language')
  const escaped = Object.hasOwn(own, 'exception.escaped') ? own['exception.escaped'] : undefined
  const isUnhandled = escaped === true || escaped === 'true'
  const user = { id: text('user.id', 'enduser.id'), email: text('user.email'), username: text('user.name') }
  const url = text('url.full', 'http.url')
  const method = text('http.request.method', 'http.method')
  const causes = (read?.causes ?? []).toReversed()
  return {
    event_id: eventId,
    timestamp: (atMs ?? receivedMs) / 1000,
    platform: Object.hasOwn(PLATFORMS, language) ? PLATFORMS[language] : 'other',
    level: isUnhandled ? 'fatal' : 'error',
    ...(facts.release !== '' && { release: facts.release }),
    ...(facts.environment !== '' && { environment: facts.environment }),
    transaction: text('http.route', 'sentry.segment.name') || name,
    server_name: text('host.name', 'service.instance.id'),
    exception: {
      values: [
        ...causes.map((cause) => ({
          type: cause.type,
          value: cutText(cause.value, MAX_VALUE),
          stacktrace: { frames: cause.frames },
        })),
        {
          type: cutText(type || 'Error', MAX_TYPE),
          value: cutText(message, MAX_VALUE),
          mechanism: { type: 'opentelemetry', handled: !isUnhandled },
          ...(read && { stacktrace: { frames: read.frames } }),
        },
      ],
    },
    contexts: {
      ...(traceId !== '' && {
        trace: {
          trace_id: traceId,
          ...(spanId !== '' && { span_id: spanId }),
          ...(parentSpanId !== '' && { parent_span_id: parentSpanId }),
        },
      }),
    },
    ...(Object.values(user).some((each) => each !== '') && {
      user: Object.fromEntries(Object.entries(user).filter(([, value]) => value !== '')),
    }),
    ...(url !== '' && { request: { url, ...(method !== '' && { method }) } }),
    tags: Object.fromEntries(
      ['service.name', 'service.namespace', 'otel.scope.name'].flatMap((key) =>
        text(key) === '' ? [] : [[key, text(key)]],
      ),
    ),
    // Where no parser fits the text is all there is.
    extra: {
      ...(stack !== '' && !read && { 'exception.stacktrace': cutText(stack, MAX_RAW_STACK) }),
      ...(isObject(attributes) && { 'span attributes': attributes }),
    },
    sdk: { name: `opentelemetry.${language || 'other'}`, version: text('telemetry.sdk.version') || '0' },
  }
}
