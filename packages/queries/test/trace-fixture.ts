/** Spans, vitals and navigations of one trace, as the pipeline would have stored them. */
import {
  encodeNavigationRow,
  encodeSpanRow,
  encodeVitalRow,
  type FilterFields,
  type NavigationFields,
  type SpanFields,
  type VitalFields,
} from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS } from './harness.ts'

const FILTERS: FilterFields = {
  release: '1.0',
  environment: 'prod',
  platform: 'node',
  sdkName: 'sonde',
  sdkVersion: '1',
  userKey: '',
  browser: '',
  os: '',
  device: '',
  country: '',
  connection: '',
  sampleRate: 1,
}
export const START_MS = NOW_MS - MINUTE_MS
export const spanIdOf = (n: number): string => n.toString(16).padStart(16, '0')

export function traceFixture({ telemetry }: Harness, traceId: string, projectId: number) {
  let row = 0
  const origin = () => ({ projectId, receivedMs: START_MS, logPosition: 1, itemIndex: row++, ...FILTERS })
  const token = (table: string): string => `${table}-${traceId}-${projectId}-${row}`
  return {
    spans: (rows: readonly Partial<SpanFields>[]) =>
      telemetry.insert(
        'spans',
        rows.map((fields) =>
          encodeSpanRow({
            ...origin(),
            isSegment: false,
            op: 'db',
            segmentName: 'GET /cart',
            startMs: START_MS,
            durationMs: 10,
            traceId,
            spanId: spanIdOf(row),
            parentSpanId: '',
            segmentId: '',
            name: 'SELECT 1',
            status: 'ok',
            origin: 'auto',
            attributes: {},
            ...fields,
          }),
        ),
        token('spans'),
      ),
    vitals: (rows: readonly Partial<VitalFields>[]) =>
      telemetry.insert(
        'vitals',
        rows.map((fields) =>
          encodeVitalRow({
            ...origin(),
            name: 'lcp',
            route: '/cart',
            pageId: spanIdOf(1),
            timestampMs: START_MS,
            value: 900,
            isFinal: true,
            traceId,
            spanId: spanIdOf(1),
            element: '',
            source: '',
            attribution: {},
            ...fields,
          }),
        ),
        token('vitals'),
      ),
    navigations: (rows: readonly Partial<NavigationFields>[]) =>
      telemetry.insert(
        'navigations',
        rows.map((fields) =>
          encodeNavigationRow({
            ...origin(),
            navigationId: spanIdOf(0xaa),
            traceId,
            timestampMs: START_MS,
            durationMs: 500,
            isFinal: true,
            fromRoute: '/',
            toRoute: '/cart',
            fromPath: '/',
            toPath: '/cart',
            trigger: 'click',
            outcome: 'committed',
            reason: '',
            visibleAfterMs: 300,
            dataMs: 120,
            paintMs: 30,
            prefetch: 'none',
            cache: '',
            cacheAgeMs: undefined,
            bytes: undefined,
            requests: undefined,
            build: '',
            router: '',
            waitingFor: '',
            ...fields,
          }),
        ),
        token('navigations'),
      ),
  }
}
