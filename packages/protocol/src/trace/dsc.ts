/**
 * Dynamic sampling context: what the head of a trace tells everybody after it. Travels as `sentry-`
 * members of the baggage header and as `trace` in the envelope header.
 * https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/
 */

/** The keys upstream defines; others that SDKs add are kept too. */
export const DSC_KEYS = [
  'trace_id',
  'public_key',
  'org_id',
  'release',
  'environment',
  'transaction',
  'sample_rate',
  'sample_rand',
  'sampled',
  'replay_id',
  'user_segment',
  'user_id',
] as const
export type DscKey = (typeof DSC_KEYS)[number]

/** Keys without the `sentry-` prefix; every value is text, also numbers and booleans. */
export type DynamicSamplingContext = { readonly [key in DscKey]?: string | undefined } & {
  readonly [key: string]: string | undefined
}

/**
 * The envelope header's `trace`. Booleans and numbers become text. Undefined without `trace_id` and
 * `public_key`: the field is then ignored and the envelope kept.
 */
export function readDsc(value: unknown): DynamicSamplingContext | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const dsc: Record<string, string> = {}
  for (const [key, field] of Object.entries(value)) {
    if (key === '__proto__') continue
    if (typeof field === 'string') dsc[key] = field
    else if (typeof field === 'number' || typeof field === 'boolean') dsc[key] = String(field)
  }
  return dsc['trace_id'] === undefined || dsc['public_key'] === undefined ? undefined : dsc
}
