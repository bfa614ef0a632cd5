/**
 * How likely a span was to be kept, from `ot=th:…` of its trace state: the part of 2^56 below which spans are rejected,
 * in hex without trailing zeros. https://opentelemetry.io/docs/specs/otel/trace/tracestate-handling/#sampling-threshold-value-th
 */
const DIGITS = 14

/** In (0, 1]; undefined when the state does not say. */
export function sampleRateOfState(traceState: string): number | undefined {
  const own = traceState.split(',').find((member) => member.trim().startsWith('ot='))
  const threshold =
    own === undefined ? undefined : /(?:^|[=;])th:([0-9a-f]{1,14})(?:;|$)/.exec(own.trim())?.[1]
  if (threshold === undefined) return undefined
  return 1 - Number.parseInt(threshold.padEnd(DIGITS, '0'), 16) / 16 ** DIGITS
}
