/** From the files of an upload to rows: some are unpacked, looked at and stored, then the next. */
import { setImmediate } from 'node:timers/promises'
import { debugIdOf, debugIdOfCode } from '@sonde/sourcemaps'
import {
  type ArtifactFileTable,
  type ArtifactType,
  type Bundle,
  type BundleEntry,
  BundleError,
  type BundleLimits,
  type Insertable,
  type Manifest,
  type ManifestFile,
} from '@sonde/stores'
import { builtName } from './built-name.ts'
import type { MapInspector } from './inspect/map-inspector.ts'
import type { ContentStore, StoredFile } from './store-contents.ts'

/** What an uploaded script says of itself: its debug id, and where its map is. Tools write both behind the code. */
type ScriptFacts = {
  /** Lower case with hyphens; empty: it has none. */
  readonly debugId: string
  /** Of its last comment; `data:` when the map itself stands there, empty when nothing does. */
  readonly mapRef: string
}

const END_BYTES = 8_192
/** What plugins put before the code, so that a stack can be told from others at run time. */
const MARKER = 'sentry-dbid-'
const ID_CHARS = 36
const NAMES_MAP = 'sourceMappingURL='
// Longer ones are maps in themselves.
const MAX_REF_CHARS = 2_048

export function scriptFacts(bytes: Buffer): ScriptFacts {
  const end = bytes.subarray(-END_BYTES).toString('latin1')
  return { debugId: debugIdOfCode(end) ?? markedId(bytes) ?? '', mapRef: mapRefOf(bytes) }
}

function markedId(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(MARKER)
  if (at === -1) return undefined
  const from = at + MARKER.length
  return debugIdOf(bytes.toString('latin1', from, from + ID_CHARS))
}

function mapRefOf(bytes: Buffer): string {
  const at = bytes.lastIndexOf(NAMES_MAP)
  // Within a comment, not within a text of the code.
  if (at === -1 || !/(?:\/\/|\/\*)[#@][ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - 8), at)))
    return ''
  const from = at + NAMES_MAP.length
  const text = bytes.toString('utf8', from, from + MAX_REF_CHARS)
  if (text.startsWith('data:')) return 'data:'
  const [, ref] = /^([^\s'"*]+)/.exec(text) ?? []
  return ref === undefined || ref.length > MAX_REF_CHARS - 4 ? '' : ref
}

/** A row of `artifact_file` without what its bundle says. */
export type FileFields = Omit<Insertable<ArtifactFileTable>, 'id' | 'bundle_id' | 'org_id' | 'created_ms'>

type Needs = {
  readonly contents: Pick<ContentStore, 'addAll'>
  readonly maps: Pick<MapInspector, 'inspect'>
  readonly limits: Pick<BundleLimits, 'fileBytes'>
}

/** Throws `BundleError` when a file of the manifest is not there; `signal` ends it between two files. */
export async function bundleFiles(
  bundle: Bundle,
  manifest: Manifest,
  needs: Needs,
  signal: AbortSignal,
): Promise<FileFields[]> {
  const described = new Map(manifest.files.map((file) => [file.entry, file]))
  for (const { entry } of manifest.files)
    if (!bundle.entries.has(entry))
      throw new BundleError(`manifest.json names ${JSON.stringify(entry.slice(0, 200))}, which is not there`)
  const rows: FileFields[] = []
  let group: { readonly file: ManifestFile; readonly bytes: Buffer }[] = []
  let groupBytes = 0
  const storeGroup = async (): Promise<void> => {
    const some = group
    group = []
    groupBytes = 0
    rows.push(...(await storeFiles(some, needs)))
    // Of small files nothing waits for another thread: something else must have its turn.
    await setImmediate()
    signal.throwIfAborted()
  }
  // In the order in which they lie there.
  for (const entry of bundle.entries.values()) {
    const file = described.get(entry.name)
    if (!file) continue
    signal.throwIfAborted()
    if (entry.bytes > needs.limits.fileBytes) {
      rows.push(tooLarge(file, entry, needs.limits.fileBytes))
      continue
    }
    if (groupBytes + entry.bytes > GROUP_BYTES && group.length > 0) await storeGroup()
    group.push({ file, bytes: await bundle.read(entry) })
    groupBytes += entry.bytes
    if (group.length >= GROUP_FILES) await storeGroup()
  }
  if (group.length > 0) await storeGroup()
  return rows
}

/** So many are looked up together; small ones take some ten milliseconds. */
const GROUP_FILES = 50
const GROUP_BYTES = 4 * 1024 * 1024

type NewFile = {
  readonly file: Pick<ManifestFile, 'type' | 'url' | 'headers'>
  /** Given away. */
  readonly bytes: Buffer
}

/** One alone. */
export async function storeFile(
  file: NewFile['file'],
  bytes: Buffer,
  needs: Pick<Needs, 'contents' | 'maps'>,
): Promise<FileFields> {
  return (await storeFiles([{ file, bytes }], needs))[0]!
}

/** In their order. */
async function storeFiles(
  files: readonly NewFile[],
  { contents, maps }: Pick<Needs, 'contents' | 'maps'>,
): Promise<FileFields[]> {
  const stored = await contents.addAll(files.map(({ bytes }) => bytes))
  const rows: FileFields[] = []
  for (const [at, file] of files.entries()) rows.push(await fieldsOf(file, stored[at]!, maps))
  return rows
}

async function fieldsOf(
  { file: { type: given, url, headers }, bytes }: NewFile,
  stored: StoredFile,
  maps: Needs['maps'],
): Promise<FileFields> {
  const { length } = bytes
  const type = typeOf(given, url)
  const isMap = type === 'source_map'
  const script = isMap || type === 'indexed_ram_bundle' ? undefined : scriptFacts(bytes)
  const map = isMap ? await maps.inspect(bytes) : undefined
  return {
    type,
    url,
    debug_id: debugIdOf(headers['debug-id']) ?? script?.debugId ?? map?.debugId ?? '',
    map_ref: headers['sourcemap'] ?? headers['x-sourcemap'] ?? script?.mapRef ?? '',
    built_name: builtName(url, map ? map.file : (script?.mapRef ?? '')),
    headers: JSON.stringify(headers),
    blob: stored.blob,
    bytes: length,
    stored_bytes: stored.storedBytes,
    sha1: stored.sha1,
    problem: map?.problem ?? '',
    problem_detail: map?.detail ?? '',
  }
}

/** sentry-cli takes a map that it cannot read for a script. */
const typeOf = (given: ArtifactType, url: string): ArtifactType =>
  (given === 'source' || given === 'minified_source') && url.endsWith('.map') ? 'source_map' : given

/** It is known that it was there, so that frames of it can say why they are not readable. */
function tooLarge({ type: given, url, headers }: ManifestFile, entry: BundleEntry, most: number): FileFields {
  return {
    type: typeOf(given, url),
    url,
    debug_id: debugIdOf(headers['debug-id']) ?? '',
    map_ref: headers['sourcemap'] ?? headers['x-sourcemap'] ?? '',
    built_name: builtName(url, ''),
    headers: JSON.stringify(headers),
    blob: '',
    bytes: entry.bytes,
    stored_bytes: 0,
    sha1: '',
    problem: 'too_large',
    problem_detail: `${entry.bytes} bytes; at most ${most} are kept`,
  }
}
