/** The fields of an envelope header that a server acts upon, each checked; anything else is left out. */
import { type Dsn, parseDsn } from '../dsn.ts'
import { normalizeEventId } from '../event-id.ts'
import { type DynamicSamplingContext, readDsc } from '../trace/dsc.ts'
import type { EnvelopeHeader } from './envelope.ts'

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
