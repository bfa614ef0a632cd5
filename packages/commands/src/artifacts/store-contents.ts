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
  /** Written, or about to be: until `flush` it may not be there yet. Throws `noRoom`. */
  add(bytes: Uint8Array): Promise<StoredFile>
  /** Everything is on the disk when it resolves. */
  flush(): Promise<void>
  /** In the transaction that names them. Throws `UnavailableError` when one of them is not there any more. */
  claim(tx: Records): Promise<void>
  /** Nothing of it will be named. Never throws. */
  discard(): Promise<void>
}

// Names are reserved together: each reservation waits for the disk once.
const FILES_AT_ONCE = 64
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
    for (let at = 0; at < batch.length; at += WRITES_AT_ONCE) {
      const some = batch.slice(at, at + WRITES_AT_ONCE)
      // All of them to their end: a name is given up only when nobody writes under it any more.
      const ends = await Promise.allSettled(some.map(({ blob, packed }) => blobs.put(blob, packed)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
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

  return {
    async add(bytes) {
      const [sha1, sha256] = await hashes(bytes)
      const known = bySha256.get(sha256)
      if (known) return known
      const prefix = `artifacts/${orgId}/${sha256.slice(0, 2)}/${sha256}-`
      const there = await findStored(records, orgId, prefix)
      if (there) {
        reused.add(there.blob)
        const stored = { ...there, sha1 }
        bySha256.set(sha256, stored)
        return stored
      }
      const packed = await packContent(bytes)
      const stored = { blob: `${prefix}${randomUUID()}`, storedBytes: packed.length, sha1 }
      bySha256.set(sha256, stored)
      newBytes += packed.length
      if (newBytes > roomBytes) throw noRoom(quotaBytes)
      waiting.push({ blob: stored.blob, packed })
      waitingBytes += packed.length
      if (waiting.length >= FILES_AT_ONCE || waitingBytes >= BYTES_AT_ONCE) await hand()
      return stored
    },
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

async function findStored(
  records: Records,
  orgId: number,
  prefix: string,
): Promise<Omit<StoredFile, 'sha1'> | undefined> {
  const row = await records
    .selectFrom('artifact_file')
    .select(['blob', 'stored_bytes'])
    .where('org_id', '=', orgId)
    .where(startsWith('blob', prefix))
    .limit(1)
    .executeTakeFirst()
  return row && { blob: row.blob, storedBytes: row.stored_bytes }
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
async function hashes(bytes: Uint8Array): Promise<readonly [sha1: string, sha256: string]> {
  const sha1 = createHash('sha1')
  const sha256 = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_AT_ONCE_BYTES) {
    const slice = bytes.subarray(at, at + HASH_AT_ONCE_BYTES)
    sha1.update(slice)
    sha256.update(slice)
    if (bytes.length > HASH_AT_ONCE_BYTES) await setImmediate()
  }
  return [sha1.digest('hex'), sha256.digest('hex')]
}
