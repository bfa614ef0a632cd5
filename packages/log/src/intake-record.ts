/**
 * What ingest writes into the log and pipeline reads out of it: the only place where the two meet.
 * Form: one JSON line (the meta) + "\n" + the untouched body. Version 1; new optional fields may come,
 * the meaning of an old one never changes (records of an older Sonde wait in the log over an upgrade).
 */
const NEWLINE = 0x0a

/** One request's body, admitted: an envelope as received (decompressed). */
export type EnvelopeMeta = {
  readonly v: 1
  readonly kind: 'envelope'
  readonly receivedMs: number
  readonly projectId: number
  readonly keyId: number
  /** 32 lower hex: what the answer named. Set when the envelope has or needs an event id. */
  readonly eventId?: string
  readonly clientIp?: string
  readonly userAgent?: string
  /** `sentry_client` of the auth, else nothing. */
  readonly client?: string
  /** Indexes of items that were refused at the door (already counted); the pipeline skips them. */
  readonly skip?: readonly number[]
}

/** Outcomes decided at the door, summed over a second or so. The body is empty. */
export type OutcomesMeta = {
  readonly v: 1
  readonly kind: 'outcomes'
  readonly receivedMs: number
  readonly outcomes: readonly DoorOutcome[]
}
export type DoorOutcome = {
  readonly projectId: number
  readonly keyId: number
  readonly category: string
  readonly outcome: string
  readonly reason: string
  readonly quantity: number
}

export type IntakeMeta = EnvelopeMeta | OutcomesMeta
export type IntakeRecord = { readonly meta: IntakeMeta; readonly body: Uint8Array }

/** What stands before the body, for an append of the two. */
export function encodeIntakeHead(meta: IntakeMeta): Buffer {
  return Buffer.from(`${JSON.stringify(meta)}\n`)
}

export function encodeIntakeRecord(meta: IntakeMeta, body: Uint8Array): Uint8Array {
  const head = encodeIntakeHead(meta)
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  head.copy(bytes)
  bytes.set(body, head.length)
  return bytes
}

/** Throws on bytes that no Sonde wrote; the caller sends them to the dead letters. */
export function decodeIntakeRecord(bytes: Uint8Array): IntakeRecord {
  const end = bytes.indexOf(NEWLINE)
  if (end < 0) throw new Error('an intake record without a head line')
  const meta = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('utf8')) as IntakeMeta
  if (meta.v !== 1)
    throw new Error(
      `an intake record of version ${String((meta as { v: unknown }).v)}; this Sonde reads version 1`,
    )
  return { meta, body: bytes.subarray(end + 1) }
}
