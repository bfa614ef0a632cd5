/** The pictures that pages show, under names that change with their bytes. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { BASE } from './pages.ts'

export type Picture = {
  readonly url: string
  readonly type: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

export type Pictures = {
  /** `file` from the root of the repository; undefined when there is none. Throws when it is no PNG or WebP. */
  readonly find: (file: string) => Picture | undefined
  /** Those that were found. */
  readonly used: () => readonly Picture[]
}

type Kind = {
  readonly type: string
  readonly size: (bytes: Buffer) => readonly [width: number, height: number] | undefined
}

/** By the file's ending. */
const KINDS: Readonly<Record<string, Kind>> = {
  png: { type: 'image/png', size: pngSize },
  webp: { type: 'image/webp', size: webpSize },
}

/** https://www.w3.org/TR/png-3/#11IHDR: width and height are the first eight bytes of the first chunk. */
function pngSize(bytes: Buffer): readonly [number, number] | undefined {
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG'
  return isPng ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined
}

/** Of the lossy and of the extended form: https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(bytes: Buffer): readonly [number, number] | undefined {
  const form = bytes.subarray(8, 16).toString('latin1')
  if (form === 'WEBPVP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (form === 'WEBPVP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  return undefined
}

export function openPictures(root: string): Pictures {
  const seen = new Map<string, Picture | undefined>()
  const read = (file: string): Picture | undefined => {
    if (!existsSync(join(root, file))) return undefined
    const bytes = readFileSync(join(root, file))
    const kind = KINDS[extname(file).slice(1)]
    const size = kind?.size(bytes)
    if (!kind || !size) throw new Error(`${file} is no PNG or WebP`)
    const url = `${BASE}assets/${hashedName(basename(file), bytes)}`
    const [width, height] = size
    return { url, type: kind.type, width, height, bytes }
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
