/** `manifest.json` of an upload: which file is what. Keys of headers are compared without case. */
import { ARTIFACT_TYPES, type ArtifactType } from '../records/artifact-tables.ts'
import { BundleError } from './bundle-error.ts'

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

const MAX_URL_CHARS = 4_096
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
  if (url.length > MAX_URL_CHARS)
    throw new BundleError(
      `manifest.json: the URL of ${show(entry)} has more than ${MAX_URL_CHARS} characters`,
    )
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
