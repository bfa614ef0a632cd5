/** Rows of spans, vitals and navigations in which only what a test is about has to be said. */
import {
  encodeNavigationRow,
  encodePrefetchRow,
  encodeSpanRow,
  encodeTabRow,
  encodeVitalRow,
} from '@sonde/stores'
import type {
  FilterFields,
  NavigationFields,
  PrefetchFields,
  SpanFields,
  TabFields,
  VitalFields,
} from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS } from '../harness.ts'

const FILTERS: FilterFields = {
  release: '1.0',
  environment: 'prod',
  platform: 'javascript',
  sdkName: 'sonde',
  sdkVersion: '1',
  userKey: '',
  browser: 'Chrome',
  os: 'Windows',
  device: 'desktop',
  country: 'DE',
  connection: '4g',
  sampleRate: 1,
}

export const hexId = (n: number): string => n.toString(16).padStart(16, '0')
export const hexTrace = (n: number): string => n.toString(16).padStart(32, '0')

export function performanceRows({ telemetry }: Pick<Harness, 'telemetry'>) {
  let last = 0
  const next = (): number => ++last
  const origin = (projectId: number) => ({
    projectId,
    receivedMs: NOW_MS - MINUTE_MS,
    logPosition: next(),
    itemIndex: 0,
    ...FILTERS,
  })
  const insert = (
    table: 'spans' | 'vitals' | 'navigations' | 'prefetches' | 'tabs',
    rows: readonly string[],
  ) => telemetry.insert(table, [...rows], `${table}-${next()}`)
  return {
    /** Roots unless told otherwise. */
    spans: (projectId: number, rows: readonly Partial<SpanFields>[]) =>
      insert(
        'spans',
        rows.map((row) =>
          encodeSpanRow({
            ...origin(projectId),
            isSegment: true,
            op: 'pageload',
            segmentName: '/cart',
            startMs: NOW_MS - MINUTE_MS,
            durationMs: 100,
            traceId: hexTrace(next()),
            spanId: hexId(next()),
            parentSpanId: '',
            segmentId: '',
            name: '/cart',
            status: 'ok',
            origin: 'manual',
            attributes: {},
            ...row,
          }),
        ),
      ),
    vitals: (projectId: number, rows: readonly Partial<VitalFields>[]) =>
      insert(
        'vitals',
        rows.map((row) =>
          encodeVitalRow({
            ...origin(projectId),
            name: 'lcp',
            route: '/cart',
            pageId: hexId(next()),
            timestampMs: NOW_MS - MINUTE_MS,
            value: 1000,
            isFinal: true,
            traceId: hexTrace(next()),
            spanId: hexId(next()),
            element: '',
            source: '',
            attribution: {},
            ...row,
          }),
        ),
      ),
    navigations: (projectId: number, rows: readonly Partial<NavigationFields>[]) =>
      insert(
        'navigations',
        rows.map((row) =>
          encodeNavigationRow({
            ...origin(projectId),
            navigationId: hexId(next()),
            traceId: hexTrace(next()),
            timestampMs: NOW_MS - MINUTE_MS,
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
            prefetch: 'none',
            cache: '',
            cacheAgeMs: undefined,
            bytes: undefined,
            requests: undefined,
            build: '1.0',
            router: 'sonde',
            waitingFor: '',
            ...row,
          }),
        ),
      ),
    /** A tab of its own that was opened a minute ago, unless told otherwise. */
    tabs: (projectId: number, rows: readonly Partial<TabFields>[]) =>
      insert(
        'tabs',
        rows.map((row) =>
          encodeTabRow({
            ...origin(projectId),
            pageId: hexId(next()),
            tabId: hexId(next()),
            startedMs: NOW_MS - MINUTE_MS,
            timestampMs: NOW_MS - MINUTE_MS,
            build: '1.0',
            isRecovered: false,
            ...row,
          }),
        ),
      ),
    /** One fetch ahead that was used, unless told otherwise. */
    prefetches: (projectId: number, rows: readonly Partial<PrefetchFields>[]) =>
      insert(
        'prefetches',
        rows.map((row) =>
          encodePrefetchRow({
            ...origin(projectId),
            prefetchId: hexId(next()),
            traceId: hexTrace(next()),
            timestampMs: NOW_MS - MINUTE_MS,
            route: '/cart',
            router: 'sonde',
            issued: 1,
            used: 1,
            late: 0,
            stale: 0,
            wasted: 0,
            savedMs: 80,
            requests: 2,
            bytes: 1000,
            wastedBytes: 0,
            ...row,
          }),
        ),
      ),
  }
}
