/** Content-Encoding to a stream that undoes it, each bounded in the memory it may claim for itself. */
import type { Transform } from 'node:stream'
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'

export type Decoder = Transform & { readonly bytesWritten: number }
type Callback = (error: Error | null, result: Buffer) => void

export type Encoding = {
  readonly name: string
  create(): Decoder
  /** All at once; fails when more than `maxBytes` come out. */
  decode(bytes: Buffer, maxBytes: number, callback: Callback): void
  /** On the caller's thread: for few bytes. Throws; with the code `TOO_LARGE` when more than `maxBytes` come out. */
  decodeNow(bytes: Buffer, maxBytes: number): Buffer
  /** The decoder keeps a window of what it put out, besides what we keep. */
  readonly keepsWindow: boolean
}

export const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE'

// Small pieces: what a decoder has produced beyond a limit before it is stopped is at most one of them.
const BASE = { chunkSize: 16 * 1024, rejectGarbageAfterEnd: true } as const
// A zstd header of a few bytes may ask for a window of 128 MiB. 8 MiB is what level 19 uses.
const ZSTD = { ...BASE, params: { [constants.ZSTD_d_windowLogMax]: 23 } } as const

/** JSON shrinks to a fifth: most often one piece is the whole body, and nothing is copied. */
const wholeOf = ({ length }: Buffer) => ({ chunkSize: Math.min(64 * 1024, Math.max(1024, 5 * length)) })

const GZIP: Encoding = {
  name: 'gzip',
  create: () => createGunzip(BASE),
  decode: (bytes, maxOutputLength, done) => gunzip(bytes, { ...BASE, maxOutputLength }, done),
  decodeNow: (bytes, maxOutputLength) => gunzipSync(bytes, { ...BASE, ...wholeOf(bytes), maxOutputLength }),
  keepsWindow: false,
}

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  [
    'deflate',
    {
      name: 'deflate',
      create: () => createInflate(BASE),
      decode: (bytes, maxOutputLength, done) => inflate(bytes, { ...BASE, maxOutputLength }, done),
      decodeNow: (bytes, maxOutputLength) =>
        inflateSync(bytes, { ...BASE, ...wholeOf(bytes), maxOutputLength }),
      keepsWindow: false,
    },
  ],
  [
    'br',
    {
      name: 'br',
      create: () => createBrotliDecompress(BASE),
      decode: (bytes, maxOutputLength, done) => brotliDecompress(bytes, { ...BASE, maxOutputLength }, done),
      decodeNow: (bytes, maxOutputLength) =>
        brotliDecompressSync(bytes, { ...BASE, ...wholeOf(bytes), maxOutputLength }),
      keepsWindow: true,
    },
  ],
  [
    'zstd',
    {
      name: 'zstd',
      create: () => createZstdDecompress(ZSTD),
      decode: (bytes, maxOutputLength, done) => zstdDecompress(bytes, { ...ZSTD, maxOutputLength }, done),
      decodeNow: (bytes, maxOutputLength) =>
        zstdDecompressSync(bytes, { ...ZSTD, ...wholeOf(bytes), maxOutputLength }),
      keepsWindow: true,
    },
  ],
])

/** Undefined: taken as it is. An encoding that nobody knows then fails at parsing, as upstream does. */
export function findEncoding(header: string | undefined): Encoding | undefined {
  return header === undefined ? undefined : ENCODINGS.get(header.trim().toLowerCase())
}
