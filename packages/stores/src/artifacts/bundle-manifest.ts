/** `manifest.json` of an upload: which file is what. Keys of headers are compared without case. */
import { ARTIFACT_TYPES, type ArtifactType } from '../records/artifact-tables.ts'

/** What is wrong with an upload itself: the same bytes will always be refused. `message` is for who uploaded it. */
export class BundleError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BundleError'
  }
}

/** How large an upload and its parts may be: what is beyond them is refused before it is unpacked. */

const MIB = 1024 * 1024

export const CHUNK_LIMITS = {
  /** sentry-cli up to 2.39 wants a power of two. */
  chunkBytes: 8 * MIB,
  chunksPerRequest: 64,
  requestBytes: 32 * MIB,
  /** Requests that a client has open at once. Each holds a chunk in memory. */
  concurrency: 4,
} as const

/** The whole upload as it is sent. */
export const MAX_BUNDLE_BYTES = 2 * 1024 * MIB
/** Clients cut into pieces of `chunkBytes`; smaller ones are fine as long as their list is not endless. */
export const MAX_CHUNKS = 4_096

export type BundleLimits = {
  readonly entries: number
  /** One file, unpacked. */
  readonly fileBytes: number
  /** All files, unpacked. */
  readonly totalBytes: number
  readonly manifestBytes: number
}
export const BUNDLE_LIMITS: BundleLimits = {
  entries: 100_000,
  // The largest maps of real builds have some 80 MB. Reading one takes about five times its size in memory.
  fileBytes: 128 * MIB,
  totalBytes: 4 * 1024 * MIB,
  // 100,000 files with long names.
  manifestBytes: 64 * MIB,
}

/** Source maps pack to a tenth; deflate's most is 1,030. */
export const MAX_RATIO = 250
/** Below it the ratio says nothing: a file of spaces is no attack. */
export const RATIO_FROM_BYTES = MIB

export type Manifest = {
  readonly files: readonly ManifestFile[]
  /** Of the bundle; empty: it says none. The same for the others. */
  readonly debugId: string
  readonly org: string
  readonly project: string
  readonly release: string
  readonly dist: string
}
export type ManifestFile = {
  /** Its name in the ZIP. */
  readonly entry: string
  readonly type: ArtifactType
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Of names of files, which are in indexes: PostgreSQL takes 2,704 bytes in a row of one, and both engines are to take the
 * same.
 */
export const MAX_NAME_BYTES = 2_600
export const isLongName = (name: string): boolean => Buffer.byteLength(name) > MAX_NAME_BYTES
const MAX_HEADERS = 32
const MAX_HEADER_CHARS = 4_096

/** Files of kinds that are not for browsers are left out. Throws `BundleError`. */
export function readManifest(bytes: Uint8Array): Manifest {
  const manifest = parse(bytes)
  const { files } = manifest
  if (!isObject(files)) throw new BundleError('manifest.json has no "files"')
  const text = (name: string): string => {
    const value = manifest[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    files: Object.entries(files).flatMap(([entry, file]) => fileOf(entry, file) ?? []),
    debugId: text('debug_id'),
    org: text('org'),
    project: text('project'),
    release: text('release'),
    dist: text('dist'),
  }
}

function fileOf(entry: string, file: unknown): ManifestFile | undefined {
  if (!isObject(file)) throw new BundleError(`manifest.json: ${show(entry)} is no object`)
  const type = ARTIFACT_TYPES.find((known) => known === file['type'])
  if (type === undefined) return undefined
  const url = typeof file['url'] === 'string' && file['url'] !== '' ? file['url'] : urlOf(entry)
  if (isLongName(url))
    throw new BundleError(`manifest.json: the URL of ${show(entry)} has more than ${MAX_NAME_BYTES} bytes`)
  return { entry, type, url, headers: readHeaders(file['headers'], entry) }
}

/** What is no text is left out. Throws `BundleError` when there are too many. */
export function readHeaders(headers: unknown, of: string): Readonly<Record<string, string>> {
  if (!isObject(headers)) return {}
  const read: [string, string][] = []
  let chars = 0
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') continue
    chars += name.length + value.length
    read.push([name.trim().toLowerCase(), value.trim()])
  }
  if (read.length > MAX_HEADERS || chars > MAX_HEADER_CHARS)
    throw new BundleError(
      `${show(of)} has more than ${MAX_HEADERS} headers or ${MAX_HEADER_CHARS} characters in them`,
    )
  return Object.fromEntries(read)
}

/** `files/_/_/app.js` → `~/app.js`, `files/https/cdn.test/app.js` → `https://cdn.test/app.js`. */
function urlOf(entry: string): string {
  const [, scheme, host, path] = /^files\/([^/]+)\/([^/]+)\/(.+)$/.exec(entry) ?? []
  if (scheme === undefined) return `~/${entry}`
  return scheme === '_' && host === '_' ? `~/${path}` : `${scheme}://${host}/${path}`
}

function parse(bytes: Uint8Array): { readonly [name: string]: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const manifest: unknown = JSON.parse(text)
    if (isObject(manifest)) return manifest
  } catch {
    // answered below
  }
  throw new BundleError('manifest.json is no JSON object')
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const show = (name: string): string => JSON.stringify(name.slice(0, 200))
