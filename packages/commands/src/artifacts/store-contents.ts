/**
 * Writes the contents of an upload's files, so that a transaction can name them afterwards. Equal content of an
 * organization is kept once. docs/internals/artifacts.md
 */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Clock, SondeError, UnavailableError } from '@sonde/base'
import {
  artifactUsage,
  type Blobs,
  claimBlobs,
  packContent,
  type Records,
  releaseBlobs,
  reserveBlobs,
  startsWith,
} from '@sonde/stores'
import { sql } from 'kysely'

/** How much an organization may keep of uploads. */
export type Quota = { readonly records: Records; readonly quotaBytes: number }

/** What more of files fits. Their chunks do not count: those go when the files are there. */
async function roomForFiles({ records, quotaBytes }: Quota, orgId: number): Promise<number> {
  return quotaBytes - (await artifactUsage(records, orgId)).fileBytes
}

/** What more of chunks fits beside everything else. */
export async function roomForChunks({ records, quotaBytes }: Quota, orgId: number): Promise<number> {
  const { fileBytes, chunkBytes } = await artifactUsage(records, orgId)
  return quotaBytes - fileBytes - chunkBytes
}

export const noRoom = (quotaBytes: number): SondeError =>
  new SondeError(
    'invalid',
    `no room for the upload: the organization may keep ${mib(quotaBytes)} of source maps; delete old uploads on its Source maps screen, or raise SONDE_ARTIFACT_QUOTA_BYTES`,
    { operation: 'store an upload' },
  )

const mib = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MiB`

export type StoredFile = { readonly blob: string; readonly storedBytes: number; readonly sha1: string }

export type ContentStore = {
  /** One after the other, with one look at what is there. Until `flush` they may not be written yet. Throws `noRoom`. */
  addAll(files: readonly Uint8Array[]): Promise<readonly StoredFile[]>
  /** One alone. */
  add(bytes: Uint8Array): Promise<StoredFile>
  /** Everything is on the disk when it resolves. */
  flush(): Promise<void>
  /** In the transaction that names them. Throws `UnavailableError` when one of them is not there any more. */
  claim(tx: Records): Promise<void>
  /** Nothing of it will be named. Never throws. */
  discard(): Promise<void>
}

// Names are reserved together: each reservation waits for the disk once.
const FILES_AT_ONCE = 512
const BYTES_AT_ONCE = 16 * 1024 * 1024
const WRITES_AT_ONCE = 8
// A bundle of 100,000 files on a slow disk.
const WRITE_WITHIN_MS = 6 * 3_600_000
const HASH_AT_ONCE_BYTES = 4 * 1024 * 1024
const NAMES_AT_ONCE = 1_000

export async function openContentStore(
  stores: Quota & { readonly blobs: Pick<Blobs, 'put'>; readonly clock: Clock },
  orgId: number,
): Promise<ContentStore> {
  const { records, blobs, clock, quotaBytes } = stores
  const roomBytes = await roomForFiles(stores, orgId)
  const bySha256 = new Map<string, StoredFile>()
  const reused = new Set<string>()
  const written: string[] = []
  let waiting: { readonly blob: string; readonly packed: Uint8Array }[] = []
  let waitingBytes = 0
  let newBytes = 0
  let writing: Promise<void> = Promise.resolve()

  const write = async (batch: typeof waiting): Promise<void> => {
    const names = batch.map(({ blob }) => blob)
    await reserveBlobs(records, names, clock.nowMs() + WRITE_WITHIN_MS)
    written.push(...names)
    const left = batch.values()
    const lane = async (): Promise<void> => {
      for (const { blob, packed } of left) await blobs.put(blob, packed)
    }
    // All of them to their end: a name is given up only when nobody writes under it any more.
    const ends = await Promise.allSettled(Array.from({ length: WRITES_AT_ONCE }, lane))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
  /** While the disk works on one batch the next is unpacked; no more than two are in memory. */
  const hand = async (): Promise<void> => {
    await writing
    const batch = waiting
    waiting = []
    waitingBytes = 0
    writing = write(batch)
    // Whoever waits for it hears of it.
    writing.catch(() => undefined)
  }

  const reuse = (found: Found | undefined, sha1: string): StoredFile | undefined => {
    if (found) reused.add(found.blob)
    return found && { ...found, sha1 }
  }
  const pack = async (bytes: Uint8Array, sha1: string, sha256: string): Promise<StoredFile> => {
    const packed = await packContent(bytes)
    const stored = { blob: `${prefixOf(orgId, sha256)}${randomUUID()}`, storedBytes: packed.length, sha1 }
    newBytes += packed.length
    if (newBytes > roomBytes) throw noRoom(quotaBytes)
    waiting.push({ blob: stored.blob, packed })
    waitingBytes += packed.length
    if (waiting.length >= FILES_AT_ONCE || waitingBytes >= BYTES_AT_ONCE) await hand()
    return stored
  }

  const addAll = async (files: readonly Uint8Array[]): Promise<StoredFile[]> => {
    const named = []
    for (const bytes of files) named.push({ bytes, ...(await hashes(bytes)) })
    const unknown = new Set(named.map(({ sha256 }) => sha256).filter((sha256) => !bySha256.has(sha256)))
    const there = await findStored(records, orgId, [...unknown])
    const stored: StoredFile[] = []
    for (const { bytes, sha1, sha256 } of named) {
      const known =
        bySha256.get(sha256) ?? reuse(there.get(sha256), sha1) ?? (await pack(bytes, sha1, sha256))
      bySha256.set(sha256, known)
      stored.push(known)
    }
    return stored
  }

  return {
    addAll,
    add: async (bytes) => (await addAll([bytes]))[0]!,
    async flush() {
      if (waiting.length > 0) await hand()
      await writing
    },
    async claim(tx) {
      await claimBlobs(tx, written)
      await holdBlobs(tx, orgId, [...reused])
    },
    async discard() {
      // What is written after its name was given up would stay.
      await writing.catch(() => undefined)
      await releaseBlobs(records, written).catch(() => undefined)
    },
  }
}

type Found = Omit<StoredFile, 'sha1'>
const prefixOf = (orgId: number, sha256: string): string =>
  `artifacts/${orgId}/${sha256.slice(0, 2)}/${sha256}-`

// SQLite joins 500 selections at most.
const LOOKED_FOR_AT_ONCE = 100

/** By SHA-256; one statement for a hundred, of which each is a range of the index. */
async function findStored(
  records: Records,
  orgId: number,
  sha256s: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  for (let at = 0; at < sha256s.length; at += LOOKED_FOR_AT_ONCE) {
    const each = sha256s.slice(at, at + LOOKED_FOR_AT_ONCE).map((sha256) => {
      const isOne = startsWith('blob', prefixOf(orgId, sha256))
      const one = sql`select blob, stored_bytes from artifact_file where org_id = ${orgId} and ${isOne} limit 1`
      return sql`select ${sha256} as sha256, blob, stored_bytes from (${one}) as one`
    })
    const { rows } = await sql<{ sha256: string; blob: string; stored_bytes: number }>`${sql.join(
      each,
      sql` union all `,
    )}`.execute(records)
    for (const { sha256, blob, stored_bytes: storedBytes } of rows) found.set(sha256, { blob, storedBytes })
  }
  return found
}

/** That the rows which named them are still there; else their files may be going just now. */
async function holdBlobs(tx: Records, orgId: number, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE)
    const rows = await tx
      .selectFrom('artifact_file')
      .select('blob')
      .distinct()
      .where('org_id', '=', orgId)
      .where('blob', 'in', some)
      .execute()
    if (rows.length === some.length) continue
    throw new UnavailableError('files that are the same were deleted meanwhile', {
      operation: 'store an upload',
      hint: 'upload again',
      retryAfterSec: 1,
    })
  }
}

/** SHA-1 and SHA-256 in hex, in slices: 128 MiB at once would hold up everything for half a second. */
async function hashes(bytes: Uint8Array): Promise<{ readonly sha1: string; readonly sha256: string }> {
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_AT_ONCE_BYTES) {
    const slice = bytes.subarray(at, at + HASH_AT_ONCE_BYTES)
    sha1.update(slice)
    sha256.update(slice)
    if (bytes.length > HASH_AT_ONCE_BYTES) await setImmediate()
  }
  return { sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }
}
