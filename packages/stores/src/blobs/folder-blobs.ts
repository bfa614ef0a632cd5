/** Blobs as files of a folder on a local disk. */
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { SondeError, UnavailableError } from '@sonde/base'
import { checkBlobName } from './blob-name.ts'
import type { Blobs } from './blobs.ts'

export type BlobsFolder = { readonly dir: string }

// Unfinished writes; a crash leaves them. No blob's name begins with a dot.
const UNFINISHED = '.unfinished'
const READ = 'read a blob'

/** Makes the folder when it is missing, and removes what a crash left unfinished. See `sweepBlobs`. */
export async function sweepFolder(dir: string): Promise<void> {
  await failing('sweep the blobs', dir, async () => {
    await rm(join(dir, UNFINISHED), { recursive: true, force: true })
    await mkdir(join(dir, UNFINISHED), { recursive: true })
  })
}

/** Changes nothing before the first `put`: any process may open them, also beside one that writes. */
export function openBlobs({ dir }: BlobsFolder): Blobs {
  const unfinished = join(dir, UNFINISHED)
  const place = async (name: string, write: (temporary: string) => Promise<void>): Promise<void> => {
    const path = join(dir, name)
    const temporary = join(unfinished, randomUUID())
    try {
      await mkdir(unfinished, { recursive: true })
      await write(temporary)
      await makeFolders(dirname(path), dir)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  }
  return {
    async put(name, bytes) {
      checkBlobName(name)
      await failing('write a blob', name, () => place(name, (temporary) => writeDurably(temporary, bytes)))
    },
    async putFile(name, path) {
      checkBlobName(name)
      await failing('write a blob', name, () => place(name, (temporary) => copyDurably(path, temporary)))
    },
    async get(name) {
      checkBlobName(name)
      return await failing(READ, name, () => readFile(join(dir, name)).catch(missing))
    },
    async open(name) {
      checkBlobName(name)
      return await failing(READ, name, async () => {
        const file = await open(join(dir, name)).catch(missing)
        if (!file) return undefined
        const found = await file.stat()
        if (!found.isFile()) {
          await file.close()
          return undefined
        }
        // Deleted meanwhile, it can still be read to its end.
        const stream = Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>
        return { bytes: found.size, stream }
      })
    },
    async delete(name) {
      checkBlobName(name)
      await failing('delete a blob', name, () => rm(join(dir, name), { force: true }))
    },
    list: (prefix) => list(dir, prefix),
  }
}

/** Reads one folder at a time; a folder's names are sorted in memory. */
async function* list(
  root: string,
  prefix: string,
  folder = '',
): AsyncGenerator<{ readonly name: string; readonly bytes: number }> {
  const entries: { name: string; isFolder: boolean }[] = []
  const handle = await opendir(join(root, folder)).catch(missing)
  for await (const entry of handle ?? []) {
    const name = folder + entry.name
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`)))
      entries.push({ name: `${name}/`, isFolder: true })
    else if (entry.isFile() && name.startsWith(prefix)) entries.push({ name, isFolder: false })
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, isFolder } of entries) {
    if (isFolder) {
      yield* list(root, prefix, name)
      continue
    }
    const found = await stat(join(root, name)).catch(missing)
    if (found) yield { name, bytes: found.size }
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])
function missing(error: unknown): undefined {
  if (!MISSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  return undefined
}

const FULL = new Set(['ENOSPC', 'EDQUOT'])
/** Of the disk under this one file: waiting does not mend it, and nothing else may wait for it. */
const BROKEN = new Set(['EIO', 'EBADMSG', 'EUCLEAN'])
async function failing<Result>(
  operation: string,
  subject: string,
  job: () => Promise<Result>,
): Promise<Result> {
  try {
    return await job()
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const message = `${operation}: ${(cause as Error).message}`
    if (FULL.has(code)) {
      const hint = 'free disk space'
      throw new UnavailableError(message, { operation, subject, cause, hint, retryAfterSec: 10 })
    }
    if (BROKEN.has(code) && operation === READ) {
      const hint = 'check the disk (dmesg, smartctl), and restore the file from a backup'
      throw new SondeError('internal', message, { operation, subject, cause, hint })
    }
    const hint = 'the folder must be writable by this user'
    throw new SondeError('unavailable', message, { operation, subject, cause, hint })
  }
}

// Files and folders that are still there after a power cut.

/** The file must not exist. Its name becomes durable with the next `syncFolder`. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename or a new file is durable once its folder was flushed. */
async function copyDurably(from: string, path: string): Promise<void> {
  await copyFile(from, path)
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes `path` and its parents below `root`, each entry durable. */
async function makeFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let at = path; at.length >= first.length && at.length > root.length; at = dirname(at))
    await syncFolder(dirname(at))
}
