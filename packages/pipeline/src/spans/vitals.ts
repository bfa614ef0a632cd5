/**
 * Web vitals out of spans, from every shape in which SDKs send them: measurements of a page load, standalone spans
 * (v1), attributes of streamed spans (v2), page loads and soft navigations alike.
 */
import { pathTemplate } from '@sonde/protocol/path-template'
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import { textOf } from './attributes.ts'
import { UNNAMED } from './facts-of-attributes.ts'
import type { Span, SpanFacts } from './span.ts'
import { isNamed, MAX_ROUTE, pagePathOf } from './stock-navigation.ts'

export type Vital = {
  readonly name: VitalName
  /** Milliseconds; CLS has no unit. */
  readonly value: number
  /** Sent on its own when the page was left; a value that travelled with a page load may still have grown. */
  readonly isFinal: boolean
  /** Span of the page load or soft navigation that it belongs to; its trace when unknown. */
  readonly pageId: string
  readonly route: string
  readonly atMs: number
  readonly traceId: string
  readonly spanId: string
  /** Selector of what was painted, shifted or pressed. */
  readonly element: string
  /** Address of the script that took longest, or of the picture that was painted. */
  readonly source: string
  /** All that explains the value, by the SDK's names. */
  readonly attribution: Readonly<Record<string, string | number>>
}

// Beyond this the page was asleep, not slow: SDKs leave such values out, and so must who reads old SDKs.
const MAX_MS = 60_000
const MAX_CLS = 100

/** `root`: that of its page, where it came in the same item. */
export function vitalsOf(span: Span, facts: SpanFacts, root?: Span): Vital[] {
  return VITAL_NAMES.flatMap((name) => {
    const value = valueOf(span, name)
    if (value === undefined || value < 0 || value > (name === 'cls' ? MAX_CLS : MAX_MS)) return []
    return [{ ...vitalOf(span, facts, name, value), route: routeOf(span, facts, root) }]
  })
}

function valueOf({ measurements, attributes }: Span, name: VitalName): number | undefined {
  // A navigation within the page waits for no first byte: its 0 would pass for a quick server.
  if (name === 'ttfb' && attributes['sonde.navigation.id'] !== undefined) return undefined
  const value = attributes[`browser.web_vital.${name}.value`] ?? measurements[name]
  return typeof value === 'number' ? value : undefined
}

function vitalOf(span: Span, facts: SpanFacts, name: VitalName, value: number): Omit<Vital, 'route'> {
  const { attributes } = span
  const element = elementOf(span, name)
  const isOfPageLoad = span.isSegment && (span.op === 'pageload' || span.op === 'navigation')
  return {
    name,
    value,
    // What is known once the page painted does not change any more.
    isFinal: !isOfPageLoad || name === 'fcp' || name === 'ttfb',
    pageId: isOfPageLoad ? span.spanId : pageOf(span),
    atMs: span.startMs,
    traceId: span.traceId,
    spanId: span.spanId,
    element,
    source: textOf(
      attributes,
      'browser.script.source_url',
      ...(name === 'inp' ? ['code.file.path', 'code.filepath'] : []),
      `browser.web_vital.${name}.url`,
      ...(name === 'lcp' ? ['lcp.url'] : []),
    ),
    attribution: {
      ...componentAttribute(span, name, element),
      ...Object.fromEntries(Object.entries(attributes).filter(([key]) => isAbout(key, name))),
    },
  }
}

/**
 * What streaming SDKs call a root that no router names, and all of its vitals by that: all pages in one row. The address tells
 * them apart; vitals that come after their root have none.
 * https://github.com/getsentry/sentry-javascript/blob/11.12.0/packages/browser/src/tracing/browserTracingIntegration.ts
 */
const OF_ANY_PAGE = /^(?:Pageload|Navigation)$/

function routeOf(span: Span, { segmentName }: SpanFacts, root?: Span): string {
  const name = segmentName || span.name
  if (!OF_ANY_PAGE.test(name) || isNamed(root ?? span)) return name
  const path = [span, root].map((each) => (each ? pagePathOf(each) : '')).find((each) => each !== '')
  return path === undefined ? UNNAMED : pathTemplate(path).slice(0, MAX_ROUTE)
}

/**
 * SDKs of Sentry write the component into the selector, in the place of its element, where a bundler plugin annotated it:
 * `main > Hero > img.wide`. Elements are in lower case there. Empty: nobody named one.
 * https://github.com/getsentry/sentry-javascript/blob/10.0.0/packages/core/src/utils/browser.ts
 */
function componentAttribute({ attributes }: Span, name: VitalName, element: string): Record<string, string> {
  const inSelector = element.split(' > ').findLast((part) => /^[A-Z][\w$.]*$/.test(part))
  const component = textOf(attributes, 'ui.component_name') || inSelector
  return component ? { [`browser.web_vital.${name}.component`]: component } : {}
}

/** A vital that is its own root belongs to none: an interaction after the page load's span had ended. */
function pageOf({ attributes, segmentId, spanId, parentSpanId, traceId }: Span): string {
  const reported = textOf(attributes, 'sentry.pageload.span_id', 'sonde.navigation.id')
  return reported || (segmentId === spanId ? '' : segmentId) || parentSpanId || traceId
}

/** The name of an interaction's span is the element that was used, unless the SDK streams spans. */
function elementOf({ attributes, measurements, name: spanName, op }: Span, name: VitalName): string {
  const prefix = `browser.web_vital.${name}`
  const reported = textOf(
    attributes,
    `${prefix}.element`,
    `${prefix}.target`,
    `${prefix}.source.1`,
    `${name}.element`,
    `${name}.source.1`,
  )
  const isNamedSo = name === 'inp' && measurements['inp'] !== undefined && op.startsWith('ui.interaction')
  return reported || (isNamedSo ? spanName : '')
}

function isAbout(key: string, name: VitalName): boolean {
  return (
    key.startsWith(`browser.web_vital.${name}.`) ||
    key.startsWith(`${name}.`) ||
    key.startsWith('browser.script.') ||
    key === 'code.function' ||
    key === 'sentry.dist' ||
    key.startsWith('sonde.navigation.')
  )
}
