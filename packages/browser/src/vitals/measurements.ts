/** What is known of the vitals when the trace of the page load is sent: https://develop.sentry.dev/sdk/telemetry/traces/modules/web-vitals/ */
import type { EventPayload, Primitive } from '../types.ts'
import type { Vital } from './vital-span.ts'

/** INP is never in it: the trace ends before people do something. */
export function addMeasurements(event: EventPayload, vitals: ReadonlyMap<string, Vital> | undefined): void {
  const { trace } = event['contexts'] as { trace: { op?: string; data: Record<string, Primitive> } }
  if (event.type !== 'transaction' || trace.op !== 'pageload' || !vitals) return
  const measurements: Record<string, { value: number; unit: string }> = {}
  for (const [name, { metric, explanation }] of vitals) {
    if (name === 'INP') continue
    const key = name.toLowerCase()
    measurements[key] = { value: metric.value, unit: name === 'CLS' ? '' : 'millisecond' }
    const { values } = explanation
    for (const value in values) trace.data[`browser.web_vital.${key}.${value}`] = values[value]
  }
  event['measurements'] = measurements
}
