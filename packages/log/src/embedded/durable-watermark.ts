/**
 * `durable`: how the writer tells other processes up to where the log is on disk. One small file, written in
 * place after each flush and never synced: after a power loss an old value is merely too small, and the
 * writer's recovery publishes anew. A torn value fails its checksum and counts as missing.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Logger } from '@sonde/base'
import { FORMAT_VERSION, readUint64, writeUint64 } from './format.ts'

const MAGIC = Buffer.from('SONDEPUB')
const WATERMARK_BYTES = 44

export type DurableWatermark = {
  /** Every byte of the log before this position is on disk. */
  readonly durable: number
  /**
   * The start of the segment whose bytes from `durable` on were refused and could not be cut off. Recovery
   * cuts them if that segment is still the last; otherwise the next segment's start already hides them.
   */
  readonly refusedSegment: number | undefined
  readonly writerPid: number
  readonly atMs: number
}

export function watermarkPath(dir: string): string {
  return join(dir, 'durable')
}

function encodeWatermark(watermark: DurableWatermark): Buffer {
  const bytes = Buffer.alloc(WATERMARK_BYTES)
  MAGIC.copy(bytes, 0)
  bytes.writeUInt32LE(FORMAT_VERSION, 8)
  bytes.writeUInt32LE(watermark.writerPid, 12)
  writeUint64(bytes, watermark.durable, 16)
  // Plus one: a segment may start at 0, and 0 says "none".
  writeUint64(bytes, watermark.refusedSegment === undefined ? 0 : watermark.refusedSegment + 1, 24)
  writeUint64(bytes, watermark.atMs, 32)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40)
  return bytes
}

function decodeWatermark(bytes: Buffer): DurableWatermark | undefined {
  if (bytes.length < WATERMARK_BYTES || !bytes.subarray(0, 8).equals(MAGIC)) return undefined
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION) return undefined
  if (bytes.readUInt32LE(40) !== crc32(bytes.subarray(0, 40))) return undefined
  const refused = readUint64(bytes, 24)
  return {
    durable: readUint64(bytes, 16),
    refusedSegment: refused === 0 ? undefined : refused - 1,
    writerPid: bytes.readUInt32LE(12),
    atMs: readUint64(bytes, 32),
  }
}

/** Nothing when no writer ran yet or the value is torn. */
export async function readWatermark(dir: string): Promise<DurableWatermark | undefined> {
  // The writer may be in the middle of its 44 bytes; it is out of it by the next look.
  for (let attempt = 0; attempt < 3; attempt++) {
    let bytes: Buffer
    try {
      bytes = await readFile(watermarkPath(dir))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const watermark = decodeWatermark(bytes)
    if (watermark) return watermark
  }
  return undefined
}

/* The writer's side: one write at a time, always the newest value, never in an append's way. */
// A file system that copies on write may refuse even this when it is full; the reader only lags meanwhile.
const RETRY_MS = 200

export type WatermarkWriter = {
  /** Returns at once. */
  publish(value: DurableWatermark): void
  /** Waits for what is being written. Never throws: a reader that lags is no reason to refuse appends. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function openWatermark(dir: string, logger: Logger): Promise<WatermarkWriter> {
  const file: FileHandle = await open(watermarkPath(dir), constants.O_RDWR | constants.O_CREAT, 0o640)
  let next: DurableWatermark | undefined
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    while (next) {
      const value = next
      next = undefined
      try {
        const bytes = encodeWatermark(value)
        await file.write(bytes, 0, bytes.length, 0)
      } catch (error) {
        logger.warn({ err: error }, 'could not publish the durable position; readers lag until it works')
        next ??= value
        retry = setTimeout(start, RETRY_MS)
        retry.unref()
        return
      }
    }
  }
  function start(): void {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  const settled = async (): Promise<void> => {
    await running
    if (running) await settled()
  }
  return {
    publish(value) {
      next = value
      clearTimeout(retry)
      start()
    },
    settled,
    async close() {
      await settled()
      clearTimeout(retry)
      await file.close()
    },
  }
}
