/**
 * Links of a span to spans that are neither its parent nor its child: the message that a batch was made of, the page
 * before this one. https://opentelemetry.io/docs/specs/otel/trace/api/#link
 * https://develop.sentry.dev/sdk/telemetry/traces/span-links/
 */
import { hexId } from '../normalize/contexts.ts'
import { isObject, type RawObject } from '../normalize/read-fields.ts'
import { plainAttributes, readAttributes } from './attributes.ts'

export type SpanLink = {
  /** 32 lower hex. */
  readonly traceId: string
  /** 16 lower hex. */
  readonly spanId: string
  /** `sampled` among them, where the sender says whether the span that it names was kept. */
  readonly attributes: Readonly<Record<string, string | number>>
}

/** What OpenTelemetry's SDKs keep by default. */
const MAX_LINKS = 128
/** Of one link, as JSON text: what is behind is left out. */
const MAX_TEXT = 1_000

type RawLink = {
  readonly traceId: unknown
  readonly spanId: unknown
  readonly attributes: RawObject
  readonly sampled?: boolean | undefined
}

/** A link without ids is none. */
export function linksOf(given: readonly RawLink[]): readonly SpanLink[] {
  return given.slice(0, MAX_LINKS).flatMap((link): SpanLink[] => {
    const traceId = hexId(link.traceId, 32)
    const spanId = hexId(link.spanId, 16)
    if (traceId === undefined || spanId === undefined) return []
    return [{ traceId, spanId, attributes: shortAttributes(link) }]
  })
}

/** `[{trace_id, span_id, sampled?, attributes?}]`, with plain attributes or, on streamed spans, typed ones. */
export function readLinks(raw: unknown): readonly SpanLink[] {
  if (!Array.isArray(raw)) return []
  return linksOf(
    raw.slice(0, MAX_LINKS).flatMap((link: unknown): RawLink[] =>
      isObject(link)
        ? [
            {
              traceId: link.trace_id,
              spanId: link.span_id,
              attributes: plainAttributes(link.attributes),
              sampled: typeof link.sampled === 'boolean' ? link.sampled : undefined,
            },
          ]
        : [],
    ),
  )
}

function shortAttributes({ attributes: given, sampled }: RawLink): SpanLink['attributes'] {
  const { attributes } = readAttributes({ sampled }, given)
  let left = MAX_TEXT
  return Object.fromEntries(
    Object.entries(attributes).filter(([key, value]) => {
      left -= JSON.stringify(key).length + JSON.stringify(value).length + 2
      return left >= 0
    }),
  )
}

/**
 * The page before this one: browser SDKs link the root of a page to the root of the page before it. Streamed spans also
 * say it as an attribute, by which the trace page finds it; of transactions it is put there.
 */
const PREVIOUS_TRACE_ATTRIBUTE = 'sentry.previous_trace'

/** `{trace}-{span}-{1 when sampled}` under the attribute's name; empty when no link says it. */
export function previousTraceOf(links: readonly SpanLink[]): RawObject {
  const link = links.find(({ attributes }) => attributes['sentry.link.type'] === 'previous_trace')
  if (link === undefined) return {}
  const { traceId, spanId, attributes } = link
  return { [PREVIOUS_TRACE_ATTRIBUTE]: `${traceId}-${spanId}-${attributes['sampled'] === 'true' ? 1 : 0}` }
}
