/** Compares an export with what it says of itself: every byte is read. */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { SondeError } from '@sonde/base'
import { type Blobs, footerBytes, parquetRows } from '@sonde/stores'
import {
  BLOB_LIST,
  CHECKSUMS,
  type ExportedBlob,
  type ExportManifest,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
} from './manifest.ts'

export type VerifiedExport = {
  readonly organization: string
  readonly until: string
  readonly files: number
  readonly bytes: number
  readonly rows: number
  /** Each with the path in front; empty: all is as it was written. */
  readonly problems: readonly string[]
}

const OPERATION = 'verify an export'
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024
/** Metadata of a Parquet file: some kilobytes for a row group. */
const MAX_FOOTER_BYTES = 16 * 1024 * 1024
const MAX_PROBLEMS = 1_000

/** `from`: the folder of the export itself. Throws `not-found` where there is none, `conflict` for one of a later version. */
export async function verifyExport(from: Pick<Blobs, 'open' | 'list'>): Promise<VerifiedExport> {
  const manifest = await readManifest(from)
  const problems: string[] = []
  const add = (problem: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  const known = new Set([MANIFEST, CHECKSUMS])
  let [files, bytes, rows] = [0, 0, 0]
  for (const { path, sha256, bytes: wanted, rows: counted } of manifest.files) {
    known.add(path)
    const seen = await look(from, path)
    files++
    bytes += seen?.bytes ?? 0
    rows += counted
    if (!seen) add(`${path}: it is missing`)
    else if (seen.sha256 !== sha256)
      add(`${path}: its content is not what was written (${seen.bytes} bytes, written were ${wanted})`)
    else if (seen.rows !== undefined && seen.rows !== counted)
      add(`${path}: it has ${seen.rows} rows, and ${MANIFEST} says ${counted}`)
  }
  if (!problems.some((problem) => problem.startsWith(`${BLOB_LIST}:`)))
    for await (const blob of blobsOf(from)) {
      if ('unreadable' in blob) continue
      known.add(blob.path)
      const seen = await look(from, blob.path)
      files++
      bytes += seen?.bytes ?? 0
      if (!seen) add(`${blob.path}: it is missing`)
      else if (seen.sha256 !== blob.sha256) add(`${blob.path}: its content is not what was written`)
    }
  for await (const { name } of from.list('')) if (!known.has(name)) add(`${name}: it is not of this export`)
  return { organization: manifest.organization.slug, until: manifest.until, files, bytes, rows, problems }
}

async function readManifest(from: Pick<Blobs, 'open'>): Promise<ExportManifest> {
  const found = await from.open(MANIFEST)
  if (!found)
    throw new SondeError(
      'not-found',
      `there is no ${MANIFEST}: this is no export, or one that was not finished`,
      {
        operation: OPERATION,
        hint: 'name the folder that has manifest.json; an interrupted export goes on when Sonde runs',
      },
    )
  if (found.bytes > MAX_MANIFEST_BYTES) throw unknownFormat()
  const parts: Uint8Array[] = []
  for await (const part of found.stream) parts.push(part)
  let read: unknown
  try {
    read = JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw unknownFormat()
  }
  const manifest = read as Partial<ExportManifest> | null
  if (manifest?.format !== FORMAT || !Array.isArray(manifest.files)) throw unknownFormat()
  if ((manifest.formatVersion ?? 0) > FORMAT_VERSION)
    throw new SondeError('conflict', `a later version of Sonde (${manifest.version}) wrote this export`, {
      operation: OPERATION,
      hint: 'verify it with that version, or with sha256sum -c sha256sums.txt',
    })
  return manifest as ExportManifest
}

const unknownFormat = (): SondeError =>
  new SondeError('conflict', `${MANIFEST} is not that of an export, or damaged`, { operation: OPERATION })

type Seen = { readonly sha256: string; readonly bytes: number; readonly rows: number | undefined }

/** Rows of what has rows: lines, or what the end of a Parquet file says; 0 for one that cannot be read. */
async function look(from: Pick<Blobs, 'open'>, path: string): Promise<Seen | undefined> {
  const found = await from.open(path)
  if (!found) return undefined
  const hash = createHash('sha256')
  const isLines = path.endsWith('.ndjson')
  const isParquet = path.endsWith('.parquet')
  let [bytes, lines] = [0, 0]
  let tail: Uint8Array[] = []
  let tailBytes = 0
  for await (const piece of found.stream) {
    hash.update(piece)
    bytes += piece.length
    if (isLines) for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
    if (!isParquet) continue
    tail.push(piece)
    tailBytes += piece.length
    while (tailBytes - (tail[0]?.length ?? 0) >= MAX_FOOTER_BYTES) tailBytes -= tail.shift()?.length ?? 0
  }
  const rows = isLines ? lines : isParquet ? rowsOf(Buffer.concat(tail)) : undefined
  return { sha256: hash.digest('hex'), bytes, rows }
}

function rowsOf(end: Buffer): number {
  const length = footerBytes(end)
  if (length === undefined || length > end.length) return 0
  try {
    return parquetRows(end.subarray(end.length - length))
  } catch {
    return 0
  }
}

async function* blobsOf(from: Pick<Blobs, 'open'>): AsyncGenerator<ExportedBlob> {
  const found = await from.open(BLOB_LIST)
  if (!found) return
  const lines = createInterface({ input: Readable.fromWeb(found.stream as never), crlfDelay: Infinity })
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as ExportedBlob
}
