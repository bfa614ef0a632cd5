/** Projects that receive something every minute, and a hundred rules for each: what teams set up, in their usual shares. */
import type { MetricRuleInput } from '@sonde/alerts'
import { encodeEventRow, encodeSpanRow, encodeVitalRow, type EventFields, withIssueId } from '@sonde/stores'
import { EVENT, type Harness, NOW_MS } from '../../packages/alerts/test/harness.ts'

type SpanFields = Parameters<typeof encodeSpanRow>[0]
type VitalFields = Parameters<typeof encodeVitalRow>[0]
const MINUTE_MS = 60_000
const ROUTES = [
  '/',
  '/[org]',
  '/[org]/cart',
  '/[org]/checkout',
  '/search',
  '/account',
  '/orders',
  '/[org]/help',
]
const id = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')

/** Rows of the last two hours, so many a minute of each table. */
export async function fillProject({ deps }: Harness, projectId: number, minutes: number): Promise<void> {
  const [events, spans, vitals]: [string[], string[], string[]] = [[], [], []]
  for (let minute = -120; minute < minutes; minute++)
    for (const [at, route] of ROUTES.entries()) {
      const receivedMs = NOW_MS + minute * MINUTE_MS + at * 1_000
      const number = projectId * 1_000_000 + (minute + 120) * 100 + at
      const shared = { projectId, receivedMs, logPosition: number, logPartition: 0, itemIndex: 0 }
      const event = { ...EVENT, ...shared, eventId: id(number, 32), title: 'E', timestampMs: receivedMs }
      if (at < 2)
        events.push(withIssueId(encodeEventRow({ ...event, transaction: route } as EventFields), projectId))
      spans.push(
        encodeSpanRow({ ...SPAN, ...shared, ...spanOf(number, route, receivedMs) } satisfies SpanFields),
      )
      const page = { route, pageId: id(number, 16), timestampMs: receivedMs }
      vitals.push(encodeVitalRow({ ...VITAL, ...shared, ...page } satisfies VitalFields))
    }
  await deps.telemetry.insert('events', events, `events-${projectId}`)
  await deps.telemetry.insert('spans', spans, `spans-${projectId}`)
  await deps.telemetry.insert('vitals', vitals, `vitals-${projectId}`)
}

const spanOf = (number: number, route: string, receivedMs: number) => ({
  segmentName: route,
  name: route,
  startMs: receivedMs - 500,
  durationMs: 100 + (number % 400),
  spanId: id(number, 16),
  segmentId: id(number, 16),
  traceId: id(number, 32),
})

/** Of one project; none of them fires. A tenth searches for what no other project does. */
export function rulesOf(count: number, channelId: number, slug: string): readonly MetricRuleInput[] {
  const told = { trigger: 1e9, actions: [{ type: 'channel' as const, channelId }] }
  return Array.from({ length: count }, (_, at): MetricRuleInput => {
    const route = ROUTES[Math.floor(at / 10) % ROUTES.length] ?? '/'
    switch (at % 10) {
      case 0:
      case 1:
      case 2:
        return { ...told, metric: { source: 'errors', measure: 'count()', search: '' }, windowMinutes: 5 }
      case 3:
        return {
          ...told,
          metric: { source: 'errors', measure: 'count()', search: `transaction:"${route}"` },
          windowMinutes: 10,
        }
      case 4:
        return {
          ...told,
          metric: { source: 'spans', measure: 'p95(span.duration)', search: `name:"/${slug}/${at}"` },
          windowMinutes: 10,
        }
      case 5:
        return {
          ...told,
          metric: { source: 'spans', measure: 'p95(span.duration)', search: `transaction:"${route}"` },
          windowMinutes: 10,
        }
      case 6:
      case 7:
        return {
          ...told,
          metric: { source: 'vitals', measure: 'p75(lcp)', search: `route:"${route}"` },
          windowMinutes: 60,
        }
      case 8:
        return {
          ...told,
          metric: { source: 'errors', measure: 'count()', search: '' },
          windowMinutes: 60,
          compare: 'change',
        }
      default:
        return {
          ...told,
          metric: { source: 'spans', measure: 'count()', search: '' },
          windowMinutes: 30,
          compare: 'anomaly',
        }
    }
  })
}

const FILTERS = {
  release: 'shop@1.0.0',
  environment: 'production',
  platform: 'javascript',
  sdkName: 'sentry.javascript.browser',
  sdkVersion: '11.12.0',
  userKey: 'id:1',
  browser: 'Chrome',
  os: 'Windows',
  device: 'desktop',
  country: 'DE',
  connection: '4g',
  sampleRate: 1,
}
const SPAN = {
  ...FILTERS,
  isSegment: true,
  op: 'pageload',
  parentSpanId: '',
  status: 'ok',
  origin: 'auto.pageload.browser',
  attributes: { 'http.status': 200 },
}
const VITAL = {
  ...FILTERS,
  name: 'lcp' as const,
  value: 2_500,
  isFinal: true,
  traceId: id(0, 32),
  spanId: id(0, 16),
  element: '#hero',
  source: '',
  attribution: {},
}
