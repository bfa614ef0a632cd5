/** What `@sonde/browser` tells of a page: its vitals as they ended, its navigations, what was fetched ahead and what failed. */
import { SPAN_PLACE } from '../load/template.ts'
import { hex, pick, type Random } from './shop-app.ts'
import { containerEnvelope, routeOf, skewedMs, spanV2 } from './shop-traces.ts'

const OUTCOMES = [
  ...Array.from({ length: 32 }, () => 'committed'),
  'redirected',
  'superseded',
  'superseded',
  'aborted',
  'errored',
  'full_load',
  'left',
  'pending',
]
const COMMON = {
  'sentry.release': 'shop@4.12.0',
  'sentry.environment': 'production',
  'sentry.sdk.name': 'sonde.javascript.browser',
  'sentry.sdk.version': '0.1.0',
  'sentry.origin': 'auto.ui.sonde',
}
const pathOf = (random: Random, route: string): string => route.replace(/\[.*?\]/g, hex(random, 6))

/** One page: six navigations, what was fetched ahead for three routes, and now and then a request that failed. */
export function ledgerEnvelope(random: Random, atMs: number): string {
  const page = { ...COMMON, 'user.id': String(Math.floor(50_000 * random() ** 3)) }
  const failures = random() < 0.3 ? [failure(random, atMs, page)] : []
  return containerEnvelope([
    ...Array.from({ length: 6 }, (_, at) => navigation(random, atMs + at * 4_000, page)),
    ...Array.from({ length: 3 }, () => prefetch(random, atMs, page)),
    ...failures,
  ])
}

type Page = Readonly<Record<string, string>>

function navigation(random: Random, startMs: number, page: Page): object {
  const [from, to] = [routeOf(random), routeOf(random)]
  const outcome = pick(random, OUTCOMES)
  const data = Math.round(skewedMs(random, 160))
  const chunk = Math.round(skewedMs(random, 60))
  const visible = Math.round(Math.max(data, chunk) + skewedMs(random, 60))
  const committed = outcome === 'committed'
  return spanV2({
    id: hex(random, 16),
    name: to,
    startMs,
    ms: visible,
    isSegment: false,
    attributes: {
      ...page,
      'sentry.op': 'ui.navigation',
      'sonde.navigation.trigger': pick(random, ['click', 'click', 'click', 'back', 'submit', 'programmatic']),
      'sonde.navigation.from': pathOf(random, from),
      'sonde.navigation.from_route': from,
      'sonde.navigation.to': pathOf(random, to),
      'sonde.navigation.to_route': to,
      'sonde.navigation.router': 'react-router',
      'sonde.navigation.outcome': outcome,
      ...(outcome === 'pending' || outcome === 'left' ? { 'sonde.navigation.provisional': true } : {}),
      ...(outcome === 'errored'
        ? { 'sonde.navigation.reason': pick(random, ['http_404', 'http_500', 'chunk']) }
        : {}),
      'sonde.navigation.requests': 1 + Math.floor(random() * 3),
      'sonde.navigation.bytes': Math.round(skewedMs(random, 9_000)),
      'sonde.navigation.build': 'shop@4.12.0',
      'sonde.navigation.prefetch': pick(random, ['none', 'none', 'used', 'used', 'late', 'stale']),
      'sonde.navigation.cache': pick(random, ['miss', 'miss', 'hit']),
      ...(committed && {
        'sonde.navigation.visible_after': visible,
        'sonde.navigation.phase.intent': Math.round(skewedMs(random, 8)),
        'sonde.navigation.phase.match': Math.round(skewedMs(random, 3)),
        'sonde.navigation.phase.data': data,
        'sonde.navigation.phase.chunk': chunk,
        'sonde.navigation.phase.commit': Math.round(skewedMs(random, 20)),
        'sonde.navigation.phase.paint': Math.round(skewedMs(random, 9)),
        'sonde.navigation.phase.settled': Math.round(skewedMs(random, 90)),
      }),
    },
  })
}

function prefetch(random: Random, startMs: number, page: Page): object {
  const route = routeOf(random)
  const issued = 1 + Math.floor(random() * 6)
  const used = Math.floor(random() * (issued + 1))
  return spanV2({
    id: hex(random, 16),
    name: route,
    startMs,
    ms: 0,
    isSegment: false,
    attributes: {
      ...page,
      'sentry.op': 'ui.prefetch',
      'sonde.prefetch.route': route,
      'sonde.prefetch.router': 'react-router',
      'sonde.prefetch.issued': issued,
      'sonde.prefetch.used': used,
      'sonde.prefetch.late': 0,
      'sonde.prefetch.stale': 0,
      'sonde.prefetch.wasted': issued - used,
      'sonde.prefetch.saved': used * 140,
    },
  })
}

function failure(random: Random, startMs: number, page: Page): object {
  const status = pick(random, [404, 500, 502, 503])
  const endpoint = `/api${routeOf(random)}`
  return spanV2({
    id: hex(random, 16),
    name: `GET ${endpoint}`,
    startMs,
    ms: skewedMs(random, 300),
    isSegment: false,
    attributes: {
      ...page,
      'sentry.op': 'ui.page_data_failure',
      'sonde.page_data.kind': status === 404 ? 'client_error' : 'server_error',
      'sonde.page_data.method': 'GET',
      'sonde.page_data.endpoint': endpoint,
      'sonde.page_data.status': status,
      'sonde.page_data.attempts': 1 + Math.floor(random() * 3),
      'sonde.page_data.recovered': random() < 0.5,
      'sonde.page_data.seen': random() < 0.4,
      'sonde.page_data.route': routeOf(random),
    },
  })
}

/** Vitals as the page told them when it was left: final values of the page load `pageId`. */
export function vitalsEnvelope(random: Random, atMs: number): string {
  const route = routeOf(random)
  const pageId = SPAN_PLACE
  const vital = (name: string, op: string, value: number, told: string) =>
    spanV2({
      id: hex(random, 16),
      name: told,
      startMs: atMs,
      ms: name === 'cls' ? 0 : value,
      isSegment: false,
      attributes: {
        ...COMMON,
        'sentry.op': op,
        'sentry.transaction': route,
        'sentry.pageload.span_id': pageId,
        [`browser.web_vital.${name}.value`]: value,
        [`browser.web_vital.${name}.element`]: told,
        'user_agent.original':
          'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/151.0 Mobile Safari/537.36',
      },
    })
  return containerEnvelope([
    vital(
      'lcp',
      'ui.webvital.lcp',
      skewedMs(random, 1_500),
      pick(random, ['img.hero', 'h1.title', 'article > img']),
    ),
    vital('cls', 'ui.webvital.cls', skewedMs(random, 0.05), pick(random, ['div.banner', 'footer'])),
    vital(
      'inp',
      'ui.interaction.click',
      skewedMs(random, 110),
      pick(random, ['button#buy', 'nav > a', 'input#search']),
    ),
  ])
}
