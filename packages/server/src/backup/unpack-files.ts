/** The files of a backup into a folder. Every stretch is compared with its checksum as it is written. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { SondeError } from '@sonde/base'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import type { BackupSummary, FileEntry, Manifest } from './manifest.ts'
import { readManifest } from './manifest.ts'
import type { Repository } from './repository.ts'

type ReadFrom = Pick<Repository, 'open' | 'place'>

// Text of a manifest: some hundred bytes for each file of a backup.
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024
/** What is read whole, since the same bytes may stand in several places. */
const WHOLE_BYTES = 16 * 1024 * 1024

export async function openManifest(
  repository: Pick<Repository, 'open'>,
  { manifest, recipients }: Pick<BackupSummary, 'manifest' | 'recipients'>,
): Promise<Manifest> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of await repository.open(manifest, recipients.length > 0)) {
    length += (chunk as Buffer).length
    if (length > MAX_MANIFEST_BYTES) throw new Error('the list of files of the backup is too large')
    chunks.push(chunk as Buffer)
  }
  return readManifest(Buffer.concat(chunks).toString('utf8'))
}

/** `onBytes`: after each file. Throws `conflict` with the name of what is damaged. */
export async function unpackFiles(
  repository: ReadFrom,
  manifest: Manifest,
  {
    dir,
    isEncrypted,
    onBytes,
  }: { readonly dir: string; readonly isEncrypted: boolean; readonly onBytes: (bytes: number) => void },
): Promise<void> {
  const wanted = Map.groupBy(manifest.files, ({ object }) => object)
  for (const [number, files] of wanted) {
    const object = manifest.objects[number]
    if (!object)
      throw damaged(repository, files[0]?.path ?? '', 'the list of objects has none with its number')
    const places = Map.groupBy(files, ({ entry }) => entry)
    const bytes = await repository.open(object.pieces, isEncrypted)
    const entries = (Readable.toWeb(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
      createTarDecoder({ strict: true }),
    )
    for await (const entry of entries as unknown as AsyncIterable<ParsedTarEntry>) {
      const own = places.get(entry.header.name)
      if (!own) {
        await entry.body.cancel()
        continue
      }
      places.delete(entry.header.name)
      await writeEntry(repository, entry, own, dir)
      for (const file of own) onBytes(file.bytes)
    }
    const [missing] = places.keys()
    if (missing !== undefined) throw damaged(repository, missing, 'it is not in its archive')
  }
  for (const path of manifest.folders) await mkdir(join(dir, path), { recursive: true, mode: 0o700 })
  for (const { path, to } of manifest.links) {
    await mkdir(dirname(join(dir, path)), { recursive: true, mode: 0o700 })
    await symlink(to, join(dir, path))
  }
  await writeEmpty(manifest, dir)
}

/** A file without bytes has a stretch of none in an archive, too; nothing else to do but to make it. */
async function writeEmpty({ files }: Manifest, dir: string): Promise<void> {
  for (const { path, bytes, at } of files)
    if (bytes === 0 && at === 0) await writeFile(join(dir, path), '', { flag: 'a', mode: 0o600 })
}

async function writeEntry(
  repository: ReadFrom,
  { header, body }: ParsedTarEntry,
  files: readonly FileEntry[],
  dir: string,
): Promise<void> {
  const [first] = files
  if (!first || files.some(({ bytes, sha256 }) => bytes !== header.size || sha256 !== first.sha256))
    throw damaged(repository, header.name, `it has ${header.size} bytes`)
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  const isWhole = header.size <= WHOLE_BYTES
  const target = isWhole ? undefined : await openAt(join(dir, first.path))
  try {
    let at = first.at
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      if (target) await writeAll(target, chunk, at)
      // The decoder reuses nothing of what it hands out, but may go on in the same buffer.
      else chunks.push(chunk)
      at += chunk.length
    }
    if (hash.digest('hex') !== first.sha256) throw damaged(repository, header.name, 'its checksum is another')
  } finally {
    await target?.close()
  }
  const content = Buffer.concat(chunks)
  for (const file of isWhole ? files : []) {
    const handle = await openAt(join(dir, file.path))
    try {
      await writeAll(handle, content, file.at)
    } finally {
      await handle.close()
    }
  }
}

async function openAt(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return open(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written)
    written += bytesWritten
  }
}

function damaged({ place }: ReadFrom, path: string, why: string): SondeError {
  return new SondeError('conflict', `the backup in ${place} is damaged: ${path}: ${why}`, {
    operation: 'read a backup',
    subject: path,
    hint: 'restore an older backup; `sonde backup verify` says which are whole',
  })
}
