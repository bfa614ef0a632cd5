/**
 * Records that are larger than a message of NATS. Their bytes are stored in pieces, in a stream of their own, before a small
 * record in the log names them (a claim check). They go with the commit, and what no record will ever name goes with time.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { NatsLog } from './connect.ts'
import { publish } from './publish.ts'

/** The headers of the record that names pieces. */
export type Claim = { readonly recordId: string; readonly pieces: number; readonly bytes: number }
const RECORD = 'Sonde-Record'
const PIECES = 'Sonde-Pieces'
const BYTES = 'Sonde-Bytes'

export const claimHeaders = ({ recordId, pieces, bytes }: Claim): Record<string, string> => ({
  [RECORD]: recordId,
  [PIECES]: String(pieces),
  [BYTES]: String(bytes),
})

export function readClaim(header: (name: string) => string | undefined): Claim | undefined {
  const recordId = header(RECORD)
  if (!recordId) return undefined
  return { recordId, pieces: Number(header(PIECES)), bytes: Number(header(BYTES)) }
}

// The subject, the headers and what servers add on their way.
const MESSAGE_HEAD_BYTES = 4_096
// Beyond, servers take longer for one message than others like to wait.
const LONGEST_PIECE_BYTES = 768 * 1024
const PIECES_AT_ONCE = 4

/** What fits into one message beside its headers. */
export const longestMessage = ({ connection }: NatsLog): number =>
  Math.max(1, (connection.info?.max_payload ?? 1024 * 1024) - MESSAGE_HEAD_BYTES)

/** Resolves once all are stored. Throws `UnavailableError`. */
export async function storePieces(log: NatsLog, record: Uint8Array, withinMs: number): Promise<Claim> {
  const recordId = randomUUID()
  const length = Math.min(LONGEST_PIECE_BYTES, longestMessage(log))
  const pieces = Math.ceil(record.length / length)
  let next = 0
  const storeSome = async (): Promise<void> => {
    while (next < pieces) {
      const index = next++
      const subject = log.names.piece(recordId, index)
      const payload = record.subarray(index * length, (index + 1) * length)
      await publish(log, { subject, payload, id: subject }, withinMs)
    }
  }
  await Promise.all(Array.from({ length: Math.min(PIECES_AT_ONCE, pieces) }, storeSome))
  return { recordId, pieces, bytes: record.length }
}

const MISSING = 10037

/** Undefined: they are not all there any more. Waits while servers do not answer. */
export async function readPieces(
  log: NatsLog,
  claim: Claim,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  for (let index = 0; index < claim.pieces; index++) {
    const query = { last_by_subj: log.names.piece(claim.recordId, index) }
    signal.throwIfAborted()
    const direct = await log.manager.direct.getMessage(log.names.pieces, query).catch(() => null)
    // The server that was asked may be behind: the leader knows.
    const found = direct ?? (await log.manager.streams.getMessage(log.names.pieces, query).catch(unlessGone))
    if (!found) return undefined
    parts.push(found.data)
  }
  const record = Buffer.concat(parts)
  return record.length === claim.bytes ? record : undefined
}

const unlessGone = (error: unknown): null => {
  if (error instanceof JetStreamApiError && error.code === MISSING) return null
  throw error
}

export async function dropPieces(log: NatsLog, recordId: string): Promise<void> {
  await log.manager.streams.purge(log.names.pieces, { filter: log.names.piece(recordId, '*') })
}

// An append ends long before: what is so much older than the oldest record in the log belongs to none.
const LATEST_CLAIM_MS = 600_000

/** Deletes what was stored for records that are consumed or were never appended. */
export async function sweepPieces(log: NatsLog, nowMs: number): Promise<void> {
  const { manager, names, partitions } = log
  const { state } = await manager.streams.info(names.pieces)
  if (state.messages === 0) return
  let untilMs = nowMs
  for (let partition = 0; partition < partitions; partition++) {
    const { state: kept } = await manager.streams.info(names.stream(partition))
    if (kept.messages > 0) untilMs = Math.min(untilMs, Date.parse(kept.first_ts))
  }
  const start_time = new Date(untilMs - LATEST_CLAIM_MS)
  const first = await manager.direct.getMessage(names.pieces, { start_time })
  await manager.streams.purge(names.pieces, { seq: first?.seq ?? state.last_seq + 1 })
}

/** Calls `work` again until it is done or `signal` ends; for what only a missing server stops. */
export async function untilDone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (let pauseMs = 50; !signal.aborted; pauseMs = Math.min(1_000, pauseMs * 2)) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof JetStreamApiError && error.status < 500) throw error
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}
