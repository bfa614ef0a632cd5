/** Segment files in the log's folder: listing, creating, opening. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SondeError } from '@sonde/base'
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  SEGMENT_HEADER_BYTES,
  segmentName,
  segmentStart,
} from './format.ts'

/** What the log needs of a file; tests hand in one that fails. */
export type LogFile = Pick<
  FileHandle,
  'read' | 'write' | 'writev' | 'datasync' | 'sync' | 'truncate' | 'stat' | 'close'
>
export type OpenLogFile = (path: string, flags: string) => Promise<LogFile>
export const openLogFile: OpenLogFile = (path, flags) => open(path, flags, 0o640)

/** Starts of all segments, ascending; empty when the folder is missing. */
export async function listSegments(dir: string): Promise<number[]> {
  let names: string[]
  try {
    names = await readdir(dir)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  return names
    .map(segmentStart)
    .filter((start) => start !== undefined)
    .toSorted((a, b) => a - b)
}

export function segmentPath(dir: string, start: number): string {
  return join(dir, segmentName(start))
}

/**
 * A segment appears under its name only once its header is on disk, and is itself on disk when this resolves.
 * On failure nothing of it stays behind.
 */
export async function createSegment(
  dir: string,
  start: number,
  openFile: OpenLogFile,
): Promise<{ file: LogFile; salt: Buffer }> {
  const salt = randomBytes(8)
  const path = segmentPath(dir, start)
  const draft = `${path}.tmp`
  const file = await openFile(draft, 'w+')
  try {
    const header = encodeSegmentHeader({ start, salt })
    const { bytesWritten } = await file.write(header, 0, header.length, 0)
    if (bytesWritten !== header.length) throw new Error(`wrote ${bytesWritten} of ${header.length} bytes`)
    await file.sync()
    await rename(draft, path)
    await syncFolder(dir)
    return { file, salt }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true }).catch(() => undefined)
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Drafts of a writer that died while it created a segment. Only the writer may call this. */
export async function removeDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.endsWith('.log.tmp')) await rm(join(dir, name), { force: true })
  }
}

/** The salt, or `damaged`. Throws when a newer Sonde wrote it: skipping it as damaged would delete its records. */
export async function readSalt(file: LogFile, path: string, start: number): Promise<Buffer | 'damaged'> {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
  const header = decodeSegmentHeader(bytes.subarray(0, bytesRead))
  if (header === 'damaged') return header
  if ('newer' in header) {
    throw new SondeError('conflict', `${path} has log format ${header.newer}; this Sonde reads 1`, {
      operation: 'read the log',
      subject: path,
      hint: 'Run the Sonde that wrote it until the log is consumed (sonde doctor: depth 0), then change versions.',
    })
  }
  return header.start === start ? header.salt : 'damaged'
}

/** Makes the creation, rename or removal of a file in `dir` durable. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
