/** The words for how a span ended, from all the ways SDKs write them: protocol names, OpenTelemetry's numbers, `error`. */
const NAMES = [
  'ok',
  'cancelled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal_error',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const
export type SpanStatus = (typeof NAMES)[number] | 'error' | ''

const KNOWN: ReadonlySet<string> = new Set([...NAMES, 'error'])
const ALIASES: Readonly<Record<string, SpanStatus>> = {
  success: 'ok',
  unknown_error: 'unknown',
  failure: 'internal_error',
  canceled: 'cancelled',
}

/** Empty: nobody said. Numbers are those of gRPC (https://grpc.io/docs/guides/status-codes/), which Sentry took over. */
export function spanStatus(raw: unknown): SpanStatus {
  if (typeof raw === 'number') return NAMES[raw] ?? 'unknown'
  if (typeof raw !== 'string' || raw === '') return ''
  const name = raw.toLowerCase()
  if (/^\d{1,2}$/.test(name)) return NAMES[Number(name)] ?? 'unknown'
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined
  return alias ?? (KNOWN.has(name) ? (name as SpanStatus) : 'unknown')
}
