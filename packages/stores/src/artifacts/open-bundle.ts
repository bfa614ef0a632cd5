/**
 * The ZIP of an upload. Everything that its directory says is checked before any file is unpacked; a file is unpacked as
 * a whole, and never to more than the directory said.
 */
import { promisify } from 'node:util'
import { inflateRaw, inflateRawSync } from 'node:zlib'
import { SondeError } from '@sonde/base'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { BundleError, type BundleLimits, MAX_RATIO, RATIO_FROM_BYTES } from './bundle-manifest.ts'
import type { ChunkSource } from './chunks.ts'

const inflateElsewhere = promisify(inflateRaw)
/** Unpacking so much takes a quarter of a millisecond: less than the way to another thread and back. */
const AT_ONCE_BYTES = 64 * 1024
const inflate = async (packed: Buffer, maxOutputLength: number): Promise<Buffer> =>
  maxOutputLength <= AT_ONCE_BYTES
    ? inflateRawSync(packed, { maxOutputLength })
    : await inflateElsewhere(packed, { maxOutputLength })

export type Bundle = {
  /** By name, in the order in which they lie there: read like this, each chunk is loaded once. */
  readonly entries: ReadonlyMap<string, BundleEntry>
  /** Throws `BundleError` when it is damaged, `SondeError` when the upload cannot be read now. */
  read(entry: BundleEntry): Promise<Buffer>
}
export type BundleEntry = {
  readonly name: string
  /** Unpacked. */
  readonly bytes: number
}

const MAGIC = Buffer.from('SYSB')
// Magic and version: https://github.com/getsentry/symbolic writes it before the ZIP.
const HEADER_BYTES = 8
const STORED = 0
const DEFLATED = 8

/** Throws `BundleError` for what is refused, `SondeError` when the upload cannot be read now. */
export async function openBundle(source: ChunkSource, limits: BundleLimits): Promise<Bundle> {
  const hasHeader = source.bytes > HEADER_BYTES && (await source.read(0, MAGIC.length)).equals(MAGIC)
  try {
    return await openZip(source, limits)
  } catch (error) {
    // Writers disagree about whether the header counts in the ZIP's offsets.
    if (!hasHeader || !(error instanceof BundleError)) throw error
    return await openZip(withoutHeader(source), limits).catch((second: unknown) => {
      throw second instanceof BundleError ? error : second
    })
  }
}

async function openZip(source: ChunkSource, limits: BundleLimits): Promise<Bundle> {
  const zip = await asBundleError(() =>
    yauzl.fromRandomAccessReaderPromise(new SourceReader(source), source.bytes, {
      autoClose: false,
      strictFileNames: true,
    }),
  )
  const found = await listEntries(zip, limits)
  const byEntry = new Map<BundleEntry, Entry>()
  const entries = new Map<string, BundleEntry>()
  for (const entry of found) {
    const one = { name: entry.fileName, bytes: entry.uncompressedSize }
    byEntry.set(one, entry)
    entries.set(one.name, one)
  }
  const [first] = found
  if (first) await asBundleError(() => zip.readLocalFileHeaderPromise(first, { minimal: true }))
  return {
    entries,
    read: async (one) => await unpack(zip, source, byEntry.get(one)!),
  }
}

/** By their place in the file, checked. */
async function listEntries(zip: ZipFile, limits: BundleLimits): Promise<Entry[]> {
  const tooMany = (count: number): BundleError =>
    new BundleError(`the upload has ${count} files; at most ${limits.entries} are taken`)
  // Folders and the manifest are entries too; this bounds what is read, the exact count follows.
  if (zip.entryCount > limits.entries * 2) throw tooMany(zip.entryCount)
  const found: Entry[] = []
  const names = new Set<string>()
  let total = 0
  await asBundleError(async () => {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      checkEntry(entry)
      if (names.has(entry.fileName)) throw new BundleError(`${show(entry.fileName)} is there twice`)
      names.add(entry.fileName)
      total += entry.uncompressedSize
      found.push(entry)
    }
  })
  // One is the manifest.
  if (found.length > limits.entries + 1) throw tooMany(found.length - 1)
  if (total > limits.totalBytes)
    throw new BundleError(`the files have ${total} bytes unpacked; at most ${limits.totalBytes} are taken`)
  found.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  // A bomb whose files share their bytes: https://www.bamsoftware.com/hacks/zipbomb/
  found.forEach((entry, at) => {
    const next = found[at + 1]
    const end = entry.relativeOffsetOfLocalHeader + entry.compressedSize
    if (next && end > next.relativeOffsetOfLocalHeader)
      throw new BundleError(`${show(entry.fileName)} and ${show(next.fileName)} overlap in the ZIP`)
  })
  return found
}

function checkEntry(entry: Entry): void {
  const { fileName, compressionMethod, compressedSize, uncompressedSize } = entry
  if (entry.isEncrypted()) throw new BundleError(`${show(fileName)} is encrypted`)
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new BundleError(
      `${show(fileName)} is packed with method ${compressionMethod}; only deflate is read`,
    )
  if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
    throw new BundleError(
      `${show(fileName)} unpacks from ${compressedSize} to ${uncompressedSize} bytes; more than ${MAX_RATIO} times is refused`,
    )
  // Deflate adds five bytes to each 16 kB at worst.
  if (compressedSize > uncompressedSize + uncompressedSize / 1_000 + 1_024)
    throw new BundleError(`${show(fileName)} is larger packed than unpacked`)
}

async function unpack(zip: ZipFile, source: ChunkSource, entry: Entry): Promise<Buffer> {
  return await asBundleError(async () => {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const packed = await source.read(fileDataStart, entry.compressedSize)
    if (entry.compressionMethod === STORED) {
      if (packed.length === entry.uncompressedSize) return packed
    } else {
      const maxOutputLength = Math.max(1, entry.uncompressedSize)
      const bytes = await inflate(packed, maxOutputLength).catch((cause: unknown) => {
        throw new BundleError(`${show(entry.fileName)} cannot be unpacked: ${(cause as Error).message}`, {
          cause,
        })
      })
      if (bytes.length === entry.uncompressedSize) return bytes
    }
    throw new BundleError(`${show(entry.fileName)} has another size than the ZIP says`)
  })
}

/** yauzl throws plain errors for what is wrong with a ZIP; ours and the store's go through. */
async function asBundleError<Result>(job: () => Promise<Result>): Promise<Result> {
  try {
    return await job()
  } catch (cause) {
    if (cause instanceof BundleError || cause instanceof SondeError) throw cause
    throw new BundleError(`the ZIP cannot be read: ${(cause as Error).message.slice(0, 200)}`, { cause })
  }
}

// The directory of 100,000 files is read in small pieces that are all in memory: something else must have its turn.
const READS_A_TURN = 200

class SourceReader extends yauzl.RandomAccessReader {
  readonly #source: ChunkSource
  #reads = 0
  constructor(source: ChunkSource) {
    super()
    this.#source = source
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#source.read(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset)
        if (++this.#reads % READS_A_TURN === 0) setImmediate(() => callback(null, length))
        else callback(null, length)
      },
      (error: Error) => callback(error),
    )
  }
}

function withoutHeader(source: ChunkSource): ChunkSource {
  return {
    bytes: source.bytes - HEADER_BYTES,
    read: (offset, length) => source.read(offset + HEADER_BYTES, length),
    sha1: () => source.sha1(),
  }
}

const show = (name: string): string => JSON.stringify(name.slice(0, 200))
