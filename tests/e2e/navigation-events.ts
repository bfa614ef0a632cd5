/** What the navigation recorder sends when things go wrong: hung loads, failed page data, tabs on an old build. */
import { navigationSpan, sendSpans } from './performance-events.ts'
import { newEventId } from './screens-events.ts'

type Facts = Readonly<Record<string, string | number>>

/** One record of the recorder that is no navigation, as an item of a span container. */
export function recorderSpan(op: string, prefix: string, facts: Facts, atMs: number, more: Facts = {}) {
  const prefixed = Object.fromEntries(Object.entries(facts).map(([key, value]) => [prefix + key, value]))
  const { attributes, ...span } = navigationSpan('/', '/', atMs)
  const own = {
    'sentry.op': op,
    'sentry.release': 'shop@4.12.0',
    'sentry.environment': 'production',
    ...prefixed,
    ...more,
  }
  const typed = Object.entries(own).map(([key, value]) => [
    key,
    { type: typeof value === 'number' ? 'double' : 'string', value },
  ])
  return { ...span, name: op, attributes: Object.fromEntries(typed) as typeof attributes }
}

/** `tab`: what tells page loads apart. */
export const chunkFailureSpan = (build: string, url: string, atMs: number, tab: number) =>
  recorderSpan(
    'ui.chunk_failure',
    'sonde.chunk.',
    { kind: 'old_build', url, status: 404, build, route: '/cart' },
    atMs,
    {
      'sonde.page_start': atMs - tab,
      'user.id': `u-${tab}`,
      'sentry.release': build,
      'sonde.chunk.tab': tab.toString(16).padStart(16, '0'),
    },
  )

/** A page load in a tab that tells it is open: when it began and was last seen. */
export function tabSpan(build: string, tab: number, beganMs: number, seenMs: number, recovered = false) {
  const span = recorderSpan(
    'ui.tab',
    'sonde.tab.',
    { id: tab.toString(16).padStart(16, '0'), build },
    beganMs,
    { 'sentry.release': build, 'user.id': `u-${tab}` },
  )
  const { attributes } = span
  return {
    ...span,
    end_timestamp: seenMs / 1000,
    attributes: { ...attributes, 'sonde.tab.recovered': { type: 'boolean', value: recovered } },
  }
}

export const pageDataSpan = (endpoint: string, facts: Facts, atMs: number, user: string) => ({
  ...recorderSpan(
    'ui.page_data_failure',
    'sonde.page_data.',
    {
      kind: 'server_error',
      method: 'GET',
      endpoint,
      status: 503,
      attempts: 3,
      seen: 'true',
      recovered: 'false',
      route: '/products/[product]',
      ...facts,
    },
    atMs,
    { 'user.id': user, 'sonde.page_start': atMs },
  ),
  name: `GET ${endpoint}`,
})

export const prefetchSpan = (route: string, facts: Facts, atMs: number) =>
  recorderSpan(
    'ui.prefetch',
    'sonde.prefetch.',
    { route, router: 'react-router', late: 0, stale: 0, ...facts },
    atMs,
  )

/** A request as its server saw it, by what its browser said of it. */
export const serverSpan = (name: string, headers: Facts, atMs: number) => ({
  ...recorderSpan('http.server', 'http.request.header.', headers, atMs, {
    'sentry.segment.name': name,
    'sentry.sdk.name': 'sentry.javascript.node',
    'sentry.platform': 'node',
  }),
  name,
  is_segment: true,
})

/** A day of a shop in which a deployment left tabs behind, an endpoint failed, and invoices never came. */
export async function fillNavigations(dsn: string, nowMs = Date.now()): Promise<void> {
  const hour = 3_600_000
  const spans: unknown[] = []
  for (let n = 0; n < 240; n++) {
    const atMs = nowMs - n * 0.09 * hour
    const build = atMs > nowMs - 6 * hour ? 'shop@4.12.0' : 'shop@4.11.2'
    const slow = build === 'shop@4.12.0' ? 1.6 : 1
    const own = { 'sonde.navigation.build': build, 'sentry.release': build, 'user.id': `u-${n % 41}` }
    spans.push(
      navigationSpan('/', '/products/[product]', atMs, {
        ...own,
        'sonde.navigation.visible_after': Math.round((180 + (n % 17) * 22) * slow),
        'sonde.navigation.phase.intent': 6 + (n % 7),
        'sonde.navigation.phase.match': 2,
        'sonde.navigation.phase.data': Math.round((90 + (n % 17) * 18) * slow),
        'sonde.navigation.phase.chunk': 12 + (n % 5) * 9,
        'sonde.navigation.phase.commit': 24,
        'sonde.navigation.phase.paint': 18,
        'sonde.navigation.phase.settled': 140,
        'sonde.navigation.prefetch': ['used', 'used', 'late', 'none'][n % 4] ?? 'none',
        'sonde.navigation.cache': n % 5 === 0 ? 'hit' : 'miss',
        ...(n % 5 === 0 && { 'sonde.navigation.cache_age': 4_000 + n * 300 }),
        'sonde.navigation.trigger': n % 6 === 0 ? 'back' : 'click',
        'sonde.navigation.bytes': 18_400,
        'sonde.navigation.requests': 2,
      }),
    )
    if (n % 12 === 0)
      spans.push(
        navigationSpan('/account', '/account/invoices', atMs, {
          ...own,
          'sonde.navigation.outcome': n % 24 === 0 ? 'left' : 'pending',
          'sonde.navigation.waiting_for': '/api/invoices, /api/account/[id]',
          'sonde.navigation.provisional': 'true',
        }),
      )
    if (n % 20 === 0)
      spans.push(
        navigationSpan('/products/[product]', '/cart', atMs, {
          ...own,
          'sonde.navigation.outcome': 'full_load',
          'sonde.navigation.reason': ['timeout', 'chunk', 'network', ''][(n / 20) % 4] ?? '',
        }),
      )
    if (n % 16 === 0) spans.push(pageDataSpan('/api/products/[id]/reviews', {}, atMs, `u-${n % 41}`))
    if (n % 30 === 0)
      spans.push(
        pageDataSpan(
          '/api/cart',
          { seen: 'false', recovered: 'true', attempts: 1, status: 502 },
          atMs,
          `u-${n % 41}`,
        ),
      )
    if (n % 6 === 0)
      spans.push(
        prefetchSpan(
          '/products/[product]',
          {
            issued: 9,
            used: 4,
            late: 1,
            wasted: 4,
            saved: 380,
            requests: 16,
            bytes: 92_000,
            wasted_bytes: 41_000,
          },
          atMs,
        ),
        prefetchSpan(
          '/cart',
          { issued: 6, used: 0, wasted: 6, saved: 0, requests: 6, bytes: 210_000, wasted_bytes: 210_000 },
          atMs,
        ),
      )
  }
  for (let tab = 1; tab <= 37; tab++)
    for (const file of ['cart', 'checkout'].slice(0, 1 + (tab % 2)))
      spans.push(
        chunkFailureSpan(
          'shop@4.11.2',
          `/assets/4.11.2/${file}-Bx7k2.js`,
          nowMs - 5.9 * hour + tab * 200_000,
          tab,
        ),
      )
  // The deployment was six hours ago. Most tabs of the build before went on for minutes, some for hours.
  const deployedMs = nowMs - 6 * hour
  for (let tab = 1; tab <= 412; tab++) {
    const seenMs = deployedMs + (tab % 50 === 0 ? 5.2 : tab % 9 === 0 ? 2.5 : 0.4) * hour + tab * 1_000
    spans.push(tabSpan('shop@4.11.2', tab, deployedMs - (tab % 30) * hour - 60_000, seenMs))
    // Two of those that could not load code never got the new build.
    if (tab <= 35) spans.push(tabSpan('shop@4.12.0', tab, nowMs - 3.5 * hour, nowMs - 3 * hour))
  }
  for (let tab = 500; tab < 560; tab++)
    spans.push(tabSpan('shop@4.12.0', tab, nowMs - (tab % 5) * hour, nowMs - 30_000))
  for (let from = 0; from < spans.length; from += 100) await sendSpans(dsn, spans.slice(from, from + 100))
  await sendSpans(dsn, [
    navigationSpan(`/${newEventId()}/${'long-'.repeat(20)}`, '/عربة/[صفحة]', nowMs - hour, {
      'user.id': 'u-1',
    }),
  ])
}
