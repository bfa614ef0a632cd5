/** Rows of `vitals` as the pipeline writes them, with what a test does not care about filled in. */
import { encodeVitalRow, type VitalFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS } from './harness.ts'

export const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

const PLAIN: VitalFields = {
  projectId: 0,
  receivedMs: NOW_MS - MINUTE_MS,
  logPosition: 0,
  itemIndex: 0,
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
  name: 'lcp',
  route: '/cart',
  pageId: '',
  timestampMs: NOW_MS - MINUTE_MS,
  value: 1000,
  isFinal: true,
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  element: '',
  source: '',
  attribution: {},
}

/** Each row is a page of its own unless it says which. */
export function vitalRows(harness: Harness) {
  let count = 0
  return (projectId: number, rows: readonly Partial<VitalFields>[]): Promise<void> =>
    harness.telemetry.insert(
      'vitals',
      rows.map((row) => {
        const logPosition = ++count
        const pageId = logPosition.toString(16).padStart(16, '0')
        return encodeVitalRow({ ...PLAIN, projectId, logPosition, pageId, ...row })
      }),
      `vitals-of-test-${count}`,
    )
}
