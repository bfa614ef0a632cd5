/**
 * `checkpoint`: up to where the consumer is done. Two slots in a file of fixed size, written in turn and synced;
 * the valid slot with the higher position counts. In place rather than tmp + rename, because a commit must
 * succeed on a full disk: it is what frees the space.
 */
import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { SondeError } from '@sonde/base'
import { FORMAT_VERSION, readUint64, writeUint64 } from './format.ts'
import { isMissing, syncFolder } from './segments.ts'

const MAGIC = Buffer.from('SONDECKP')
const SLOT_BYTES = 24
// Slots in different 4 KiB blocks: tearing one cannot touch the other.
const SLOT_OFFSETS = [0, 4096] as const
const FILE_BYTES = 8192

export type Checkpoint = {
  position(): number
  /** Durable when it resolves. Callers take turns. */
  write(position: number): Promise<void>
  close(): Promise<void>
}

/** The committed position; 0 when nothing was ever committed. */
export async function readCheckpoint(dir: string): Promise<number> {
  return newest(await readSlots(dir))?.position ?? 0
}

export async function openCheckpoint(dir: string): Promise<Checkpoint> {
  const path = join(dir, 'checkpoint')
  const found = newest(await readSlots(dir))
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o640)
  const { size } = await file.stat()
  if (size < FILE_BYTES) {
    await file.write(Buffer.alloc(FILE_BYTES - size), 0, FILE_BYTES - size, size)
    await file.sync()
    await syncFolder(dir)
  }
  let position = found?.position ?? 0
  let slot = found?.slot === 0 ? 1 : 0
  return {
    position: () => position,
    async write(value) {
      const bytes = encodeSlot(value)
      await file.write(bytes, 0, bytes.length, SLOT_OFFSETS[slot])
      await file.datasync()
      position = value
      slot = slot === 0 ? 1 : 0
    },
    close: () => file.close(),
  }
}

type Slot = { readonly slot: number; readonly position: number }

function encodeSlot(position: number): Buffer {
  const bytes = Buffer.alloc(SLOT_BYTES)
  MAGIC.copy(bytes, 0)
  bytes.writeUInt32LE(FORMAT_VERSION, 8)
  writeUint64(bytes, position, 12)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20)
  return bytes
}

async function readSlots(dir: string): Promise<Slot[]> {
  let file: Buffer
  try {
    file = await readFile(join(dir, 'checkpoint'))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  return SLOT_OFFSETS.flatMap((at, slot) => {
    const bytes = file.subarray(at, at + SLOT_BYTES)
    if (bytes.length < SLOT_BYTES || !bytes.subarray(0, 8).equals(MAGIC)) return []
    if (bytes.readUInt32LE(8) !== FORMAT_VERSION) return []
    if (bytes.readUInt32LE(20) !== crc32(bytes.subarray(0, 20))) return []
    return [{ slot, position: readUint64(bytes, 12) }]
  })
}

/** Positions only grow, so the higher one is the later one. */
function newest(slots: readonly Slot[]): Slot | undefined {
  return slots.toSorted((a, b) => b.position - a.position)[0]
}

/**
 * Exactly one writer and one consumer per log folder. The lock is the operating system's (a POSIX record lock,
 * taken through SQLite on an empty file because Node offers no other way): it ends with the process whatever
 * kills it, so there is no stale lock to guess about, nor a process id that another container also has.
 */
const SQLITE_BUSY = 5

type LogRole = 'writer' | 'consumer'

/** Throws a `conflict` when another process (or this one) holds it. Returns the release. */
export function lockLog(dir: string, role: LogRole, holder: string): () => void {
  const path = join(dir, `${role}.lock`)
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // No statement ever writes, so the file stays empty: locking works on a full disk.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new SondeError('conflict', `the log in ${dir} already has a ${role}${holder}`, {
      operation: `open the log as its ${role}`,
      subject: path,
      hint: 'Stop the other Sonde, or give this one a folder of its own with SONDE_DATA_DIR.',
      cause: error,
    })
  }
  return () => database.close()
}
