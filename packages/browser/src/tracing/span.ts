/** A span as it stands in a transaction: https://develop.sentry.dev/sdk/telemetry/traces/span-interface/ */
import type { Primitive } from '../types.ts'

export type Data = Record<string, Primitive>

export type Span = {
  span_id: string
  trace_id: string
  parent_span_id?: string | undefined
  op: string
  origin: string
  description?: string | undefined
  /** Seconds since 1970. */
  start_timestamp: number
  /** Missing while it runs. */
  timestamp?: number
  status?: string
  data: Data
}

/** Milliseconds of `performance.now()` → seconds since 1970, to the microsecond. */
export const epochSec = (ms: number): number => Math.round((performance.timeOrigin + ms) * 1000) / 1e6
