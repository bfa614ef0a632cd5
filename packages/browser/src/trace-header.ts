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
      environment: options.environment,
      // A path may hold anything; what a person or a router named may not.
      transaction: trace.source === 'url' ? undefined : trace.name,
      sampled: trace.sampled?.toString(),
      sample_rate: trace.sampleRate?.toString(),
      sample_rand: trace.sampleRand,
    } as Record<string, string>)
  )
}
