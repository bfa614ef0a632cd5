/**
 * Events and links of a span as attributes: what was thrown under the names of the conventions, the rest as JSON text,
 * as much of it as an attribute holds. https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/
 */
import type { RawObject } from '../normalize/read.ts'
import type { OtlpEvent, OtlpSpan } from './otlp-request.ts'

// Attributes end at 4,096 characters, and half an event is none.
const MAX_TEXT = 4_000
const STACK = 'exception.stacktrace'

export function eventAttributes({ events, links, startMs }: OtlpSpan): RawObject {
  const thrown = events.findLast(({ name }) => name === 'exception')
  return {
    ...(thrown && pick(thrown.attributes, ['exception.type', 'exception.message', STACK])),
    'otel.events': asText(events.map((event) => shown(event, startMs))),
    'otel.links': asText(links.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId }))),
  }
}

/** `after_ms`: since the span began. The stack has an attribute of its own. */
function shown({ name, atMs, attributes }: OtlpEvent, startMs: number | undefined): RawObject {
  const { [STACK]: _, ...rest } = attributes
  const afterMs =
    atMs === undefined || startMs === undefined ? undefined : Math.round((atMs - startMs) * 1e3) / 1e3
  return { name, after_ms: afterMs, ...(Object.keys(rest).length > 0 && { attributes: rest }) }
}

/** The first of them that fit; undefined when there is none. */
function asText(list: readonly RawObject[]): string | undefined {
  let text = ''
  for (const each of list) {
    const more = `${text === '' ? '' : `${text},`}${JSON.stringify(each)}`
    if (more.length > MAX_TEXT) break
    text = more
  }
  return text === '' ? undefined : `[${text}]`
}

function pick(attributes: RawObject, names: readonly string[]): RawObject {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(attributes, name) ? [[name, attributes[name]]] : [])),
  )
}
