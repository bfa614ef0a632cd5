/** The pictures that pages show, under names that change with their bytes. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BASE } from './pages.ts'

export type Picture = {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

export type Pictures = {
  /** `file` from the root of the repository; undefined when there is none. Throws when it is no PNG. */
  readonly find: (file: string) => Picture | undefined
  /** Those that were found. */
  readonly used: () => readonly Picture[]
}

/** https://www.w3.org/TR/png-3/#11IHDR: width and height are the first eight bytes of the first chunk. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const WIDTH_AT = 16

export function openPictures(root: string): Pictures {
  const seen = new Map<string, Picture | undefined>()
  const read = (file: string): Picture | undefined => {
    if (!existsSync(join(root, file))) return undefined
    const bytes = readFileSync(join(root, file))
    if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new Error(`${file} is no PNG`)
    const url = `${BASE}assets/${hashedName(basename(file), bytes)}`
    return { url, width: bytes.readUInt32BE(WIDTH_AT), height: bytes.readUInt32BE(WIDTH_AT + 4), bytes }
  }
  return {
    find(file) {
      if (!seen.has(file)) seen.set(file, read(file))
      return seen.get(file)
    },
    used: () => [...seen.values()].filter((picture) => picture !== undefined),
  }
}

/** `search.js` → `search.1a2b3c4d5e.js`. */
export function hashedName(name: string, bytes: string | Uint8Array): string {
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  return name.replace(/(\.[a-z]+)$/, `.${tag}$1`)
}
