/**
 * What an export has written so far, as lines of files in its work folder: an export that was interrupted goes on behind them. The
 * bytes themselves are at their place before they are noted here.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportedBlob, ExportedFile } from './manifest.ts'

export type ExportJournal = {
  readonly dir: string
  /** Files that are whole, by their path. */
  readonly files: ReadonlyMap<string, ExportedFile>
  note(file: ExportedFile): void
  /** Where the list of blobs lies. */
  readonly blobList: string
  /** The last blob that is there, with counts of all. */
  readonly blobs: BlobsSoFar
  noteBlobs(blobs: readonly ExportedBlob[]): void
  /** Removes the work folder. */
  end(): void
}

type BlobsSoFar = {
  last: ExportedBlob | undefined
  count: number
  bytes: number
  unreadable: number
}

/** `dir` is made when it is missing. A line that a crash cut is as if it had not been written. */
export async function openJournal(dir: string): Promise<ExportJournal> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const journal = join(dir, 'journal.ndjson')
  const blobList = join(dir, 'blobs.ndjson')
  dropTornLine(journal)
  await dropTornEnd(blobList)
  const files = new Map(
    linesOf(journal).map((line) => {
      const file = JSON.parse(line) as ExportedFile
      return [file.path, file]
    }),
  )
  const blobs: BlobsSoFar = { last: undefined, count: 0, bytes: 0, unreadable: 0 }
  const add = (blob: ExportedBlob): void => {
    blobs.last = blob
    if ('unreadable' in blob) blobs.unreadable++
    else {
      blobs.count++
      blobs.bytes += blob.bytes
    }
  }
  for await (const blob of readBlobList(blobList)) add(blob)
  return {
    dir,
    files,
    note(file) {
      appendFileSync(journal, `${JSON.stringify(file)}\n`)
      files.set(file.path, file)
    },
    blobList,
    blobs,
    noteBlobs(some) {
      appendFileSync(blobList, some.map((blob) => `${JSON.stringify(blob)}\n`).join(''))
      for (const blob of some) add(blob)
    },
    end: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export async function* readBlobList(path: string): AsyncGenerator<ExportedBlob> {
  const file = await open(path, 'a+')
  try {
    for await (const line of file.readLines({ start: 0 })) yield JSON.parse(line) as ExportedBlob
  } finally {
    await file.close()
  }
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []

/** A few hundred lines. */
function dropTornLine(path: string): void {
  if (!existsSync(path)) return
  const bytes = readFileSync(path)
  const whole = bytes.lastIndexOf(0x0a) + 1
  if (whole < bytes.length) truncateSync(path, whole)
}

/** Of a long file: a line has less than a kilobyte. */
const TAIL_BYTES = 64 * 1024
async function dropTornEnd(path: string): Promise<void> {
  if (!existsSync(path)) return
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL_BYTES)
    const tail = Buffer.alloc(size - from)
    await file.read(tail, 0, tail.length, from)
    await file.truncate(from + tail.lastIndexOf(0x0a) + 1)
  } finally {
    await file.close()
  }
}
