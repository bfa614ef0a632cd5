/** The fields of an envelope header that a server acts upon, each checked; anything else is left out. */
import { type Dsn, parseDsn } from '../dsn.ts'
import { normalizeEventId } from '../event-id.ts'
import type { EnvelopeHeader } from './envelope.ts'

/**
 * Dynamic sampling context: what the head of a trace tells everybody after it.
 * https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/
 * Keys without the `sentry-` prefix of the baggage header; those that SDKs add are kept. Every value is text, also
 * numbers and booleans.
 */
export type DynamicSamplingContext = { readonly [key: string]: string | undefined }

export type EnvelopeHeaderFields = {
  readonly eventId?: string
  readonly dsn?: Dsn
  /** The sender's clock when it sent, in Unix milliseconds. */
  readonly sentAtMs?: number
  readonly sdk?: { readonly name?: string; readonly version?: string }
  readonly trace?: DynamicSamplingContext
}

/** Never throws. A field that is invalid is treated as missing: it must not cost the envelope. */
export function readHeaderFields(header: EnvelopeHeader): EnvelopeHeaderFields {
  const eventId = normalizeEventId(header['event_id'])
  const dsn = parseDsn(header['dsn'])
  const sentAtMs = readSentAt(header['sent_at'])
  const sdk = readSdk(header['sdk'])
  const trace = readDsc(header['trace'])
  return {
    ...(eventId === undefined ? {} : { eventId }),
    ...(dsn === undefined ? {} : { dsn }),
    ...(sentAtMs === undefined ? {} : { sentAtMs }),
    ...(sdk === undefined ? {} : { sdk }),
    ...(trace === undefined ? {} : { trace }),
  }
}

function readSentAt(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value * 1000
  if (typeof value !== 'string' || value.length > 64) return undefined
  // Without a zone, JavaScript would take local time; the protocol means UTC.
  const zoned = /(?:z|[+-]\d{2}:?\d{2})$/i.test(value) || !value.includes('T') ? value : `${value}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? undefined : ms
}

function readSdk(value: unknown): { name?: string; version?: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, version } = value as { name?: unknown; version?: unknown }
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
  }
}

/**
 * The envelope header's `trace`. Booleans and numbers become text. Undefined without `trace_id` and
 * `public_key`: the field is then ignored and the envelope kept.
 */
function readDsc(value: unknown): DynamicSamplingContext | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const dsc: Record<string, string> = {}
  for (const [key, field] of Object.entries(value)) {
    if (key === '__proto__') continue
    if (typeof field === 'string') dsc[key] = field
    else if (typeof field === 'number' || typeof field === 'boolean') dsc[key] = String(field)
  }
  return dsc['trace_id'] === undefined || dsc['public_key'] === undefined ? undefined : dsc
}
