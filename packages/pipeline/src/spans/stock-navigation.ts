/**
 * The root span that Sentry's browser SDKs make of a navigation, as a row of the ledger. It says where to and when, not how it
 * ended: the SDK ends it when nothing was requested for a second, when the tab is hidden, or with the next navigation. So
 * the outcome is `unknown`, and its length is never taken for what a person waited. docs/decisions/0065
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import {
  NAVIGATION_ID_ATTRIBUTE,
  RECORDER_INTEGRATION_PREFIX,
  STOCK_NAVIGATION_OP,
  STOCK_ROUTER_PREFIX,
} from '@sonde/protocol/navigation'
import { pathTemplate } from '@sonde/protocol/path-template'
import type { FilterFields, NavigationFields, RowOrigin } from '@sonde/stores'
import { textOf } from './attributes.ts'
import type { Span, SpanFacts } from './span.ts'

/** What a transaction says beside its span. */
export type StockEvent = Pick<NormalizedEvent, 'breadcrumbs' | 'request' | 'sdk'>
type StockNavigation = Omit<NavigationFields, keyof FilterFields | keyof RowOrigin>

export const MAX_ROUTE = 500
const MAX_REASON = 120
const MAX_ROUTER = 200

/** Undefined: it is no such span, or the recorder tells of the same navigation. */
export function stockNavigationOf(
  span: Span,
  facts: SpanFacts,
  event?: StockEvent,
): StockNavigation | undefined {
  if (span.op !== STOCK_NAVIGATION_OP || !span.isSegment) return undefined
  if (!isPage(facts) || isRecorded(span, facts, event)) return undefined
  const { attributes, name, origin, startMs } = span
  const crumb = crumbOf(event, startMs)
  const toPath = firstPath(
    textOf(attributes, 'url.path'),
    textOf(attributes, 'url.full', 'url', 'http.url'),
    isNamed(span) ? '' : name,
    crumb.to,
    event?.request?.url,
  )
  const fromPath = crumb.to === '' || toPath === '' || crumb.to === toPath ? crumb.from : ''
  const fromRoute = textOf(attributes, ...FROM_ATTRIBUTES)
  return {
    navigationId: span.spanId,
    traceId: span.traceId,
    timestampMs: startMs,
    durationMs: span.durationMs,
    isFinal: true,
    fromRoute: (fromRoute || pathTemplate(fromPath)).slice(0, MAX_ROUTE),
    toRoute: (isNamed(span) ? name : pathTemplate(toPath) || name).slice(0, MAX_ROUTE),
    fromPath,
    toPath,
    trigger: '',
    outcome: 'unknown',
    reason: textOf(attributes, 'sentry.idle_span_finish_reason').slice(0, MAX_REASON),
    visibleAfterMs: undefined,
    prefetch: '',
    cache: '',
    cacheAgeMs: undefined,
    bytes: undefined,
    requests: undefined,
    build: '',
    router: (STOCK_ROUTER_PREFIX + origin).slice(0, MAX_ROUTER),
    waitingFor: '',
  }
}

/** SDKs of servers and of native apps; what a person of a mobile app sees are screens, not pages. */
const NO_PAGE =
  /\.(?:node(?:-core|-native)?|bun|deno|cloudflare|vercel-edge|react-native|aws-serverless|google-cloud-serverless)$/

const isPage = ({ platform, sdkName }: SpanFacts): boolean =>
  platform === 'javascript' && !NO_PAGE.test(sdkName)

/** By our own reporter, by an integration of Sentry's SDK, or by whoever marked the span. */
function isRecorded({ attributes }: Span, { sdkName }: SpanFacts, event?: StockEvent): boolean {
  if (sdkName.startsWith('sonde.') || attributes[NAVIGATION_ID_ATTRIBUTE] !== undefined) return true
  // Of streamed spans a list as JSON text.
  const streamed = textOf(attributes, 'sentry.sdk.integrations')
  return (
    streamed.includes(`"${RECORDER_INTEGRATION_PREFIX}`) ||
    (event?.sdk?.integrations ?? []).some((name) => name.startsWith(RECORDER_INTEGRATION_PREFIX))
  )
}

/** Names that the app or its router chose. `url` is a path, and a streamed span without any is called "Navigation". */
const NAMED: ReadonlySet<string> = new Set(['route', 'custom', 'view', 'component'])
export const isNamed = ({ attributes, name }: Span): boolean =>
  name !== '' &&
  NAMED.has(textOf(attributes, 'sentry.source', 'sentry.segment.name.source', 'sentry.span.source'))

/** The route that was left, where a router's integration says it. https://github.com/getsentry/sentry-javascript */
const FROM_ATTRIBUTES = ['sentry.sveltekit.navigation.from', 'navigation.from', 'fromRoute', 'from']

/** A breadcrumb of the same navigation; clocks of both round. */
const SAME_MS = 1_000

/** The SDK notes each change of the address: the one with which the span began says the page before. */
function crumbOf(event: StockEvent | undefined, startMs: number): { from: string; to: string } {
  const near = (event?.breadcrumbs ?? []).findLast(
    ({ category, timestamp }) =>
      category === 'navigation' && timestamp !== undefined && Math.abs(timestamp * 1000 - startMs) <= SAME_MS,
  )
  const said = (key: string): string => {
    const value = near?.data?.[key]
    return typeof value === 'string' ? pathOf(value) : ''
  }
  return { from: said('from'), to: said('to') }
}

/** The path of the page that a root of the SDK is about; empty when it does not say. */
export const pagePathOf = ({ attributes }: Span): string =>
  firstPath(textOf(attributes, 'url.path'), textOf(attributes, 'url.full', 'url', 'http.url'))

const firstPath = (...given: readonly (string | undefined)[]): string => {
  for (const text of given) {
    const path = pathOf(text ?? '')
    if (path !== '') return path
  }
  return ''
}

/** Without origin, query and fragment; empty when it is no address. */
function pathOf(text: string): string {
  const address = text.slice(0, 2048)
  const from = address.startsWith('/') ? 0 : afterHost(address)
  if (from < 0) return ''
  const end = address.slice(from).search(/[?#]/)
  return (end < 0 ? address.slice(from) : address.slice(from, from + end)) || '/'
}

function afterHost(address: string): number {
  const scheme = /^[a-z][a-z\d+.-]{0,30}:\/\//i.exec(address)?.[0]
  if (scheme === undefined) return -1
  const path = address.slice(scheme.length).search(/[/?#]/)
  return path < 0 ? address.length : scheme.length + path
}
