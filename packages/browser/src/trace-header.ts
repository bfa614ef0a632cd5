/** The dynamic sampling context of an envelope header: https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/ */
import type { Client, TraceState } from './types.ts'

/** Frozen values from the server win. Undefined fields are left out when it is written as JSON. */
export function traceHeader({ options, dsn }: Client, trace: TraceState): Record<string, string> {
  return (
    trace.dsc ??
    ({
      trace_id: trace.traceId,
      public_key: dsn.publicKey,
      org_id: options.org ?? dsn.orgId,
      release: options.release,
      environment: environmentOf(options),
      transaction: trace.source === 'route' ? trace.name : undefined,
      sampled: trace.sampled === undefined ? undefined : String(trace.sampled),
    } as Record<string, string>)
  )
}

export const environmentOf = (options: Client['options']): string => options.environment ?? 'production'
