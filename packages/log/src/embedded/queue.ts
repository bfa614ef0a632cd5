/** Appends that wait for their flush, oldest first, and how many bytes they hold. */
import { crc32 } from 'node:zlib'
import { encodeRecordHead, RECORD_HEAD_BYTES } from './format.ts'

export type Waiting = {
  readonly bytes: Uint8Array
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

export function waiting(bytes: Uint8Array, timeMs: number): Waiting & { readonly settled: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { bytes, bodyCrc: crc32(bytes), timeMs, resolve, reject, settled: promise }
}

export function storedBytes(bytes: Uint8Array): number {
  return RECORD_HEAD_BYTES + bytes.length
}

/** How many of `queue` from its beginning fit into `room` bytes. */
export function fitting(queue: readonly Waiting[], room: number): number {
  let used = 0
  const index = queue.findIndex((member) => (used += storedBytes(member.bytes)) > room)
  return index < 0 ? queue.length : index
}

export function encodeGroup(members: readonly Waiting[], position: number, salt: Buffer): Group {
  const buffers: Uint8Array[] = []
  let bytes = 0
  for (const { bytes: body, bodyCrc, timeMs } of members) {
    buffers.push(encodeRecordHead({ length: body.length, timeMs, bodyCrc }, position + bytes, salt))
    if (body.length > 0) buffers.push(body)
    bytes += storedBytes(body)
  }
  return { members, buffers, bytes }
}
