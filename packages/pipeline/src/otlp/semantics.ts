/**
 * What a span of OpenTelemetry did, in the words that the screens have for spans of all SDKs: from its kind and the
 * semantic conventions, old names and new. https://github.com/open-telemetry/semantic-conventions/tree/v1.38.0/docs
 */
import { cutText, type RawObject } from '../normalize/read-fields.ts'
import { type Attributes, attributeValue, numberOf, textOf } from '../spans/attributes.ts'
import { type SpanStatus, spanStatus } from '../spans/span.ts'
import type { OtlpResource, OtlpScope, OtlpSpan } from './otlp-request.ts'

type Named = Pick<OtlpSpan, 'kind' | 'name'> & { readonly attributes: Readonly<Attributes> }

const MESSAGING_OPS: Readonly<Record<string, string>> = {
  create: 'queue.create',
  send: 'queue.publish',
  publish: 'queue.publish',
  receive: 'queue.receive',
  process: 'queue.process',
  deliver: 'queue.process',
  settle: 'queue.settle',
}

/** https://develop.sentry.dev/sdk/telemetry/traces/span-operations/ */
export function opOf({ kind, attributes }: Named): string {
  const has = (...names: readonly string[]): boolean => textOf(attributes, ...names) !== ''
  const reported = textOf(attributes, 'sentry.op')
  if (reported !== '') return reported
  if (has('http.request.method', 'http.method')) return withSide('http', kind)
  if (has('db.system.name', 'db.system')) return 'db'
  if (has('gen_ai.operation.name')) return `gen_ai.${textOf(attributes, 'gen_ai.operation.name')}`
  if (has('rpc.system.name', 'rpc.system', 'rpc.service')) return withSide('rpc', kind)
  if (has('messaging.system')) {
    const operation = textOf(attributes, 'messaging.operation.type', 'messaging.operation')
    const known = Object.hasOwn(MESSAGING_OPS, operation) ? MESSAGING_OPS[operation] : undefined
    return known ?? (kind === 'consumer' ? 'queue.process' : 'queue.publish')
  }
  if (has('faas.trigger')) return `faas.${textOf(attributes, 'faas.trigger')}`
  if (has('graphql.operation.type', 'graphql.document')) return 'graphql'
  return kind === 'internal' || kind === 'unspecified' ? 'default' : kind
}

function withSide(op: string, kind: OtlpSpan['kind']): string {
  return kind === 'server' || kind === 'client' ? `${op}.${kind}` : op
}

/** HTTP clients call their spans by the method alone, databases by the table: the query says more. */
export function nameOf({ name, attributes }: Named): string {
  const query = textOf(attributes, 'db.query.text', 'db.statement')
  if (query !== '') return query
  const method = textOf(attributes, 'http.request.method', 'http.method')
  if (method === '' || !(name === '' || name === method || name === `HTTP ${method}`)) return name
  const where = textOf(attributes, 'http.route', 'url.template') || addressOf(attributes)
  return where === '' ? name || method : `${method} ${where}`
}

/** Without what tells one request from another. */
function addressOf(attributes: Readonly<Attributes>): string {
  const address = textOf(attributes, 'url.full', 'http.url', 'url.path', 'http.target')
  return address.split(/[?#]/, 1)[0] ?? ''
}

const ERROR = 2

/** A status that is unset says nothing, but the answer's code may. */
export function statusOf({
  statusCode,
  statusMessage,
  attributes,
}: Pick<OtlpSpan, 'statusCode' | 'statusMessage'> & {
  readonly attributes: Readonly<Attributes>
}): SpanStatus {
  const grpc = numberOf(attributes, 'rpc.grpc.status_code')
  const http = numberOf(attributes, 'http.response.status_code', 'http.status_code')
  const answered =
    grpc !== undefined && grpc > 0 ? spanStatus(grpc) : http === undefined ? '' : httpStatus(http)
  if (statusCode === 1) return 'ok'
  if (statusCode !== ERROR) return answered
  // Sentry's own SDKs, built upon OpenTelemetry, write the word for the status here.
  const reported = spanStatus(statusMessage)
  if (reported !== '' && reported !== 'unknown' && reported !== 'ok') return reported
  return answered === '' || answered === 'ok' ? 'error' : answered
}

const HTTP_STATUSES: ReadonlyMap<number, SpanStatus> = new Map([
  [400, 'invalid_argument'],
  [401, 'unauthenticated'],
  [403, 'permission_denied'],
  [404, 'not_found'],
  [409, 'already_exists'],
  [413, 'failed_precondition'],
  [429, 'resource_exhausted'],
  [499, 'cancelled'],
  [500, 'internal_error'],
  [501, 'unimplemented'],
  [503, 'unavailable'],
  [504, 'deadline_exceeded'],
])

/** https://develop.sentry.dev/sdk/telemetry/traces/span-operations/ maps them so for all SDKs. */
function httpStatus(code: number): SpanStatus {
  const known = HTTP_STATUSES.get(code)
  if (known !== undefined) return known
  if (code >= 100 && code < 400) return 'ok'
  if (code >= 400 && code < 500) return 'invalid_argument'
  return code >= 500 && code < 600 ? 'internal_error' : ''
}

/**
 * What a resource says, as it is written on each of its spans: a request of 10,000 spans repeats it 10,000 times, so it
 * is bounded where a span's own attributes need not be.
 */
const MAX_ATTRIBUTES = 64
const MAX_VALUE = 512
// With names: what 10,000 spans then have in common is 40 MB of text.
const MAX_TEXT = 4_096
/** What releases, environments and platforms are read from comes first, wherever it is found. */
const FIRST = /^(?:service|deployment|telemetry|otel)\./

type ResourceAttributes = { readonly attributes: RawObject; readonly cut: boolean }

/** Of everything that one instrumentation library sent from one process. */
export function aroundItems(
  { name, version }: Pick<OtlpScope, 'name' | 'version'>,
  { attributes }: Pick<OtlpResource, 'attributes'>,
): ResourceAttributes {
  const scope = {
    ...(name !== '' && { 'otel.scope.name': name }),
    ...(version !== '' && { 'otel.scope.version': version }),
  }
  return resourceAttributes(scope, attributes)
}

function resourceAttributes(...sources: readonly RawObject[]): ResourceAttributes {
  const given = sources.flatMap((source) => Object.entries(source))
  const ordered = [...given.filter(([key]) => FIRST.test(key)), ...given.filter(([key]) => !FIRST.test(key))]
  const attributes: Record<string, string | number> = {}
  let left = MAX_TEXT
  let count = 0
  let cut = false
  for (const [key, raw] of ordered) {
    const value = attributeValue(raw)
    if (value === undefined || Object.hasOwn(attributes, key)) continue
    const kept = typeof value === 'string' ? cutText(value, MAX_VALUE) : value
    const length = key.length + (typeof kept === 'string' ? kept.length : 8)
    if (kept !== value) cut = true
    if (count >= MAX_ATTRIBUTES || length > left) {
      cut = true
      continue
    }
    attributes[key] = kept
    left -= length
    count++
  }
  return { attributes, cut }
}
