/**
 * Files into objects of a repository: each object is a tar archive of some small files or one large. What an earlier backup
 * has is not written again, and, where a key says that it is the same, not read.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { packTar, type TarSource } from 'modern-tar/fs'
import type { FileEntry, Manifest, ObjectEntry } from './manifest.ts'
import type { Repository } from './repository.ts'

/** A stretch of a file that does not change while it is packed. */
export type SourceFile = {
  /** In the data folder. */
  readonly path: string
  /** Where its bytes are. */
  readonly source: string
  /** Where the stretch begins, and how long it is. */
  readonly at: number
  readonly bytes: number
  /** `BY_CONTENT`: the hash of its bytes, which are read whole. */
  readonly key?: string
}

type KnownFile = {
  readonly bytes: number
  readonly sha256: string
  readonly entry: string
  readonly object: ObjectEntry
}
export type KnownFiles = ReadonlyMap<string, KnownFile>

export const BY_CONTENT = 'content'

/** Files of one object together; also what is in memory of them. */
const PACK_BYTES = 16 * 1024 * 1024
// Each stands in the archive with a header and at least one block.
const PACK_FILES = 2_000
/** An object of which less than this share is still needed is written anew, so that what is old leaves the repository. */
const LEAST_SHARE = 0.5

/** What the next backup need not write again. */
export function knownFiles({ files, objects }: Pick<Manifest, 'files' | 'objects'>): KnownFiles {
  const needed = objects.map(() => 0)
  for (const { object, bytes } of files) needed[object] = (needed[object] ?? 0) + bytes
  return new Map(
    files.flatMap(({ key, sha256, entry, object, bytes }) => {
      const found = objects[object]
      if (key === undefined || !found || (needed[object] ?? 0) < found.bytes * LEAST_SHARE) return []
      return [[key, { bytes, sha256, entry, object: found }] as const]
    }),
  )
}

/**
 * Only what lies in objects of which every byte is still needed: after something was erased no object may be taken over that has it
 * beside what stays. Reads the files whose content is their key.
 */
export async function wholeObjects(known: KnownFiles, files: readonly SourceFile[]): Promise<KnownFiles> {
  const needed = new Set<string>()
  for (const file of files)
    if (file.key === BY_CONTENT) needed.add(contentKey(await readStretch(file)))
    else if (file.key !== undefined) needed.add(file.key)
  const neededBytes = new Map<ObjectEntry, number>()
  for (const [key, { object, bytes }] of known)
    if (needed.has(key)) neededBytes.set(object, (neededBytes.get(object) ?? 0) + bytes)
  return new Map([...known].filter(([, { object }]) => neededBytes.get(object) === object.bytes))
}

const contentKey = (content: Buffer): string => `sha256:${sha256Of(content)}`

export type PackFiles = {
  readonly repository: Pick<Repository, 'put'>
  readonly files: AsyncIterable<SourceFile> | Iterable<SourceFile>
  readonly known: KnownFiles
  /** After each object: how many bytes of files are done, written or known. */
  readonly onPacked?: (bytes: number) => void
  readonly packBytes?: number
}

export async function packFiles({
  repository,
  files,
  known,
  onPacked = () => undefined,
  packBytes = PACK_BYTES,
}: PackFiles): Promise<Pick<Manifest, 'files' | 'objects'>> {
  const objects: ObjectEntry[] = []
  const entries: FileEntry[] = []
  const numbers = new Map<ObjectEntry, number>()
  const numberOf = (object: ObjectEntry): number => {
    const number = numbers.get(object) ?? objects.push(object) - 1
    numbers.set(object, number)
    return number
  }
  let pack: PackedFile[] = []
  let packed = 0

  const writePack = async (): Promise<void> => {
    if (pack.length === 0) return
    const pieces = await repository.put(packTar(pack.map(tarSource)))
    const object = numberOf({ pieces, bytes: packed })
    for (const { file, entry, hash, key } of pack)
      entries.push({ ...placeOf(file), sha256: hash(), object, entry, ...(key !== undefined && { key }) })
    onPacked(packed)
    pack = []
    packed = 0
  }

  for await (const file of files) {
    const byContent = file.key === BY_CONTENT ? await readStretch(file) : undefined
    const key = byContent ? contentKey(byContent) : file.key
    const same = key === undefined ? undefined : known.get(key)
    if (same && key !== undefined) {
      const { sha256, entry, object } = same
      entries.push({ ...placeOf(file), sha256, object: numberOf(object), entry, key })
      onPacked(file.bytes)
      continue
    }
    if (packed + file.bytes > packBytes || pack.length >= PACK_FILES) await writePack()
    const content = byContent ?? (file.bytes <= packBytes ? await readStretch(file) : undefined)
    pack.push(packedFile(file, content, key))
    packed += file.bytes
  }
  await writePack()
  return { files: entries, objects }
}

type PackedFile = {
  readonly file: SourceFile
  readonly entry: string
  readonly key: string | undefined
  readonly content: Buffer | Readable
  /** Once it was read to its end. */
  readonly hash: () => string
}

const placeOf = ({ path, at, bytes }: SourceFile) => ({ path, at, bytes })

function packedFile(file: SourceFile, content: Buffer | undefined, key: string | undefined): PackedFile {
  const entry = file.at === 0 ? file.path : `${file.path}.at-${file.at}`
  const shared = { file, entry, key }
  if (content) return { ...shared, content, hash: () => sha256Of(content) }
  const hash = createHash('sha256')
  let digest: string | undefined
  const stream = Readable.from(hashed(file, hash), { objectMode: false })
  return { ...shared, content: stream, hash: () => (digest ??= hash.digest('hex')) }
}

const tarSource = ({ file, entry, content }: PackedFile): TarSource =>
  content instanceof Readable
    ? { type: 'stream', target: entry, content, size: file.bytes, mode: 0o600 }
    : { type: 'content', target: entry, content, mode: 0o600 }

async function* hashed(
  { source, at, bytes }: SourceFile,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of createReadStream(source, { start: at, end: at + bytes - 1 })) {
    hash.update(chunk as Buffer)
    left -= (chunk as Buffer).length
    yield chunk as Buffer
  }
  if (left !== 0) throw new Error(`${source} ended ${left} bytes early`)
}

async function readStretch({ source, at, bytes }: SourceFile): Promise<Buffer> {
  const content = Buffer.alloc(bytes)
  const file = await open(source, 'r')
  try {
    for (let read = 0; read < bytes;) {
      const { bytesRead } = await file.read(content, read, bytes - read, at + read)
      if (bytesRead === 0) throw new Error(`${source} ended ${bytes - read} bytes early`)
      read += bytesRead
    }
  } finally {
    await file.close()
  }
  return content
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
