/** Appends that wait for their flush, oldest first, and how many bytes they hold. */
import { crc32 } from 'node:zlib'
import { UnavailableError } from '@sonde/base'
import { RECORD_HEAD_BYTES, writeRecordHead } from './format.ts'

export type Waiting = {
  readonly bytes: Uint8Array
  /** The rest of the record, if it came in two pieces. */
  readonly more: Uint8Array | undefined
  /** Of both. */
  readonly length: number
  readonly bodyCrc: number
  readonly timeMs: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** One `writev`: which appends it answers, its buffers, its size. */
export type Group = {
  readonly members: readonly Waiting[]
  readonly buffers: readonly Uint8Array[]
  readonly bytes: number
}

export function waiting(
  bytes: Uint8Array,
  more: Uint8Array | undefined,
  timeMs: number,
): Waiting & { readonly settled: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const length = bytes.length + (more?.length ?? 0)
  const bodyCrc = more ? crc32(more, crc32(bytes)) : crc32(bytes)
  return { bytes, more, length, bodyCrc, timeMs, resolve, reject, settled: promise }
}

export function storedBytes(length: number): number {
  return RECORD_HEAD_BYTES + length
}

/** How many of `queue` from its beginning fit into `room` bytes. */
export function fitting(queue: readonly Waiting[], room: number): number {
  let used = 0
  const index = queue.findIndex((member) => (used += storedBytes(member.length)) > room)
  return index < 0 ? queue.length : index
}

export function encodeGroup(members: readonly Waiting[], position: number, salt: Buffer): Group {
  const buffers: Uint8Array[] = []
  // One allocation for all heads.
  const heads = Buffer.allocUnsafe(RECORD_HEAD_BYTES * members.length)
  let bytes = 0
  for (const [index, member] of members.entries()) {
    const head = heads.subarray(index * RECORD_HEAD_BYTES, (index + 1) * RECORD_HEAD_BYTES)
    writeRecordHead(head, member, position + bytes, salt)
    buffers.push(head)
    if (member.bytes.length > 0) buffers.push(member.bytes)
    if (member.more && member.more.length > 0) buffers.push(member.more)
    bytes += storedBytes(member.length)
  }
  return { members, buffers, bytes }
}

/* What an append answers when it cannot be made durable: always `UnavailableError`, with what to do about it. */
// Disks fill and empty over seconds; sooner would only repeat the refusal.
const RETRY_AFTER_SEC = 10

export function refusal(dir: string, message: string, cause?: unknown): UnavailableError {
  return new UnavailableError(message, {
    operation: 'append to the log',
    subject: dir,
    hint: hintFor(cause),
    retryAfterSec: RETRY_AFTER_SEC,
    ...(cause === undefined ? {} : { cause }),
  })
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error))
}

function hintFor(cause: unknown): string {
  if (isDiskFull(cause)) return 'Free space on the disk of the log; it goes on by itself.'
  if (['EIO', 'EROFS'].includes(errorCode(cause)))
    return 'The disk reports errors: see the kernel log, replace or remount it.'
  return 'It goes on by itself once the pipeline or the disk has caught up; see sonde doctor.'
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}
