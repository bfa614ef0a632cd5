/**
 * Where backups lie: a folder or a bucket, written to through the same interface as blobs. Every piece is named by the SHA-256
 * of its bytes, so `sha256sum` finds damage without a key. What says that a backup exists is written last, and whole.
 */
import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { type Clock, SondeError } from '@sonde/base'
import type { Blobs } from '@sonde/stores'
import type { BackupKey } from './backup-key.ts'
import { type BackupSummary, isLaterFormat, type Piece, readSummary } from './manifest.ts'
import { seal, unseal } from './seal.ts'

export type Repository = {
  /** For people. */
  readonly place: string
  /** Compresses, encrypts and writes. Durable when it resolves. */
  put(plain: Readable): Promise<readonly Piece[]>
  /** What was written, as it was. Throws, or the stream fails, with words that name the piece that is damaged. */
  open(pieces: readonly Piece[], isEncrypted: boolean): Promise<Readable>
  /** Throws `conflict` (see `damaged`) unless the piece has its bytes. */
  check(piece: Piece): Promise<void>
  /** Which pieces are there, as names and sizes say. */
  sizes(): Promise<ReadonlyMap<string, number>>
  /** Oldest first. */
  list(): Promise<readonly ListedBackup[]>
  /** From then on the backup exists. */
  add(summary: BackupSummary): Promise<void>
  /** From then on it does not. Its pieces stay until `collect`. */
  remove(id: string): Promise<void>
  /** Deletes what no backup has. Only while the repository is `locked`. */
  collect(): Promise<{ readonly pieces: number; readonly bytes: number }>
  /** Work that no other process may do in this repository meanwhile. Throws `conflict` while another does. */
  locked<Result>(what: string, work: () => Promise<Result>): Promise<Result>
  /** Bytes that `put` wrote since the repository was opened. */
  readonly written: () => number
}

/** `summary` undefined: the file is damaged, or of a later version. */
export type ListedBackup = {
  readonly id: string
  readonly summary: BackupSummary | undefined
  readonly isLater: boolean
}

/** Large enough for few requests to a bucket, small enough to be in memory some times. */
const PIECE_BYTES = 16 * 1024 * 1024
const BACKUPS = 'backups/'
const OBJECTS = 'objects/'
const LOCKS = 'locks/'
// A lock whose owner is gone ends by itself; who works says so three times as often.
const LOCK_MS = 120_000

export const pieceName = (sha256: string): string => `${OBJECTS}${sha256.slice(0, 2)}/${sha256}`
const backupName = (id: string): string => `${BACKUPS}${id}.json`

export type OpenRepository = {
  readonly blobs: Blobs
  readonly place: string
  readonly key: BackupKey | undefined
  readonly clock: Clock
  readonly pieceBytes?: number
}

export function openRepository({
  blobs,
  place,
  key,
  clock,
  pieceBytes = PIECE_BYTES,
}: OpenRepository): Repository {
  let written = 0
  const getPiece = async ([sha256, bytes]: Piece): Promise<Uint8Array> => {
    const name = pieceName(sha256)
    const found = await blobs.get(name)
    if (found === undefined) throw damaged(place, name, 'it is missing')
    if (found.length !== bytes) throw damaged(place, name, `it has ${found.length} bytes instead of ${bytes}`)
    if (sha256Of(found) !== sha256) throw damaged(place, name, 'its checksum is another')
    return found
  }
  const locksOfOthers = async (own: string): Promise<readonly string[]> => {
    const others: string[] = []
    for await (const { name } of blobs.list(LOCKS)) {
      if (name === own) continue
      const found = readLock(await blobs.get(name))
      if (!found) continue
      if (clock.nowMs() - found.atMs > LOCK_MS || isOfTheDead(found)) await blobs.delete(name)
      else others.push(found.what)
    }
    return others
  }
  const repository: Repository = {
    place,
    written: () => written,
    async put(plain) {
      const pieces: Piece[] = []
      for await (const bytes of inPieces(await seal(plain, key), pieceBytes)) {
        const sha256 = sha256Of(bytes)
        await blobs.put(pieceName(sha256), bytes)
        written += bytes.length
        pieces.push([sha256, bytes.length])
      }
      return pieces
    },
    async open(pieces, isEncrypted) {
      const sealed = Readable.from(eachOf(pieces, getPiece), { objectMode: false })
      return unseal(sealed, { key, isEncrypted })
    },
    async check(piece) {
      await getPiece(piece)
    },
    async sizes() {
      const found = new Map<string, number>()
      for await (const { name, bytes } of blobs.list(OBJECTS))
        found.set(name.slice(name.lastIndexOf('/') + 1), bytes)
      return found
    },
    async list() {
      const listed: ListedBackup[] = []
      for await (const { name } of blobs.list(BACKUPS)) {
        const id = /^backups\/(.+)\.json$/.exec(name)?.[1]
        if (id === undefined) continue
        const bytes = await blobs.get(name)
        // Removed since it was listed.
        if (!bytes) continue
        const text = Buffer.from(bytes).toString('utf8')
        listed.push({ id, summary: readSummary(text), isLater: isLaterFormat(text) })
      }
      return listed
    },
    add: (summary) => blobs.put(backupName(summary.id), Buffer.from(`${JSON.stringify(summary)}\n`)),
    remove: (id) => blobs.delete(backupName(id)),
    async collect() {
      const listed = await repository.list()
      const unknown = listed.find(({ summary }) => !summary)
      if (unknown)
        throw new SondeError('conflict', `the backup ${unknown.id} in ${place} cannot be read`, {
          operation: 'delete what no backup has',
          subject: unknown.id,
          hint: 'what it needs is not known, so nothing is deleted: use the version of Sonde that made it, or remove it with `sonde backup prune --delete`',
        })
      const needed = new Set(listed.flatMap(({ summary }) => summary?.pieces.map(([sha256]) => sha256) ?? []))
      let [pieces, bytes] = [0, 0]
      for await (const found of blobs.list(OBJECTS)) {
        if (needed.has(found.name.slice(found.name.lastIndexOf('/') + 1))) continue
        await blobs.delete(found.name)
        pieces++
        bytes += found.bytes
      }
      return { pieces, bytes }
    },
    async locked(what, work) {
      const own = `${LOCKS}${randomUUID()}`
      const say = (): Promise<void> =>
        blobs.put(
          own,
          Buffer.from(JSON.stringify({ what, atMs: clock.nowMs(), host: hostname(), pid: process.pid })),
        )
      // Both of two that begin at once see each other, and neither goes on.
      await say()
      let saying: Promise<void> = Promise.resolve()
      const timer = setInterval(() => {
        saying = say().catch(() => undefined)
      }, LOCK_MS / 3)
      timer.unref()
      try {
        const [other] = await locksOfOthers(own)
        if (other !== undefined)
          throw new SondeError('conflict', `${place} is in use: ${other}`, {
            operation: what,
            subject: place,
            hint: 'wait for its end; what a machine that died left there counts for two minutes',
          })
        return await work()
      } finally {
        clearInterval(timer)
        await saying
        await blobs.delete(own)
      }
    },
  }
  return repository
}

function damaged(place: string, name: string, why: string): SondeError {
  return new SondeError('conflict', `the backup is damaged: ${name} in ${place}: ${why}`, {
    operation: 'read a backup',
    subject: name,
    hint: 'restore an older backup; `sonde backup verify` says which are whole. Look at the disk or bucket that it lies on',
  })
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Lock = { readonly what: string; readonly atMs: number; readonly host: string; readonly pid: number }

function readLock(bytes: Uint8Array | undefined): Lock | undefined {
  try {
    const { what, atMs, host, pid } = JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Partial<Lock>
    const isRight = typeof what === 'string' && typeof atMs === 'number'
    return isRight ? { what, atMs, host: String(host), pid: Number(pid) } : undefined
  } catch {
    return undefined
  }
}

/** Only of this machine can it be known at once. */
function isOfTheDead({ host, pid }: Lock): boolean {
  if (host !== hostname() || !Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function* eachOf<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  for (const item of items) yield await read(item)
}

/** Chunks of exactly so many bytes, but the last. */
async function* inPieces(stream: Readable, bytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    while (length + rest.length >= bytes) {
      const cut = bytes - length
      yield Buffer.concat([...chunks, rest.subarray(0, cut)])
      chunks = []
      length = 0
      rest = rest.subarray(cut)
    }
    if (rest.length === 0) continue
    chunks.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(chunks)
}
