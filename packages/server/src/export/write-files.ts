/** Files of an export: written here first, with their checksum, and then put where they belong. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorKind } from '@sonde/base'
import type { Blobs } from '@sonde/stores'
import type { ExportedBlob } from './manifest.ts'

export type Written = { readonly bytes: number; readonly sha256: string }

/** `path` is of this machine. */
export async function hashFile(path: string): Promise<Written> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** Lines of JSON of the rows; also how many they were. */
export async function writeLines(
  path: string,
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
): Promise<Written & { readonly rows: number }> {
  const hash = createHash('sha256')
  let count = 0
  let bytes = 0
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const row of rows) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      hash.update(line)
      count++
      bytes += line.length
      yield line
    }
  }
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }))
  return { rows: count, bytes, sha256: hash.digest('hex') }
}

type CopyBlob = {
  readonly from: Pick<Blobs, 'open'>
  readonly to: Pick<Blobs, 'putFile'>
  readonly prefix: string
  /** Of this machine. */
  readonly dir: string
}

/** A blob that cannot be read is no reason to have no export: it is told of. */
export async function copyBlob(
  { from, to, prefix, dir }: CopyBlob,
  blob: Pick<ExportedBlob, 'name' | 'table' | 'column'>,
): Promise<ExportedBlob> {
  const path = `files/${blob.name}`
  const temporary = join(dir, `blob-${blob.name.replaceAll('/', '_')}`)
  try {
    const found = await from.open(blob.name).catch(whatIsWrong)
    if (typeof found === 'string') return { ...blob, unreadable: found }
    if (!found) return { ...blob, unreadable: 'it is missing' }
    const hash = createHash('sha256')
    let bytes = 0
    const read = async function* () {
      for await (const piece of found.stream) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
    }
    const trouble = await pipeline(
      Readable.from(read(), { objectMode: false }),
      createWriteStream(temporary, { mode: 0o600 }),
    ).catch(whatIsWrong)
    if (typeof trouble === 'string') return { ...blob, unreadable: trouble }
    await to.putFile(`${prefix}${path}`, temporary)
    return { ...blob, path, bytes, sha256: hash.digest('hex') }
  } finally {
    await rm(temporary, { force: true })
  }
}

/** What passes ends the export, which goes on later. */
function whatIsWrong(error: unknown): string {
  if (errorKind(error) === 'unavailable') throw error
  return error instanceof Error ? error.message : String(error)
}
