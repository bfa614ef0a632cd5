/** From a script to its files: by debug id, else by release, dist and address. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import { debugIdOf } from '@sonde/sourcemaps'
import type { FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/file-requests.ts'

export type ScriptOf = {
  readonly projectId: number
  readonly url: string
  readonly debugId: string | undefined
  readonly release: string | undefined
  readonly dist: string | undefined
}

/** Undefined: not known yet, and noted as missing. */
export function findFiles(files: KnownFiles, script: ScriptOf): FoundFiles | undefined {
  const { projectId, url, debugId, release: name, dist = '' } = script
  const byId = debugId === undefined ? 'none' : files.ask({ kind: 'debug_id', projectId, debugId })
  // Asked together with the id: one way to the stores for both.
  const release =
    name === undefined || name === '' || (byId !== 'none' && byId !== undefined)
      ? 'none'
      : files.ask({ kind: 'release', projectId, release: name, dist })
  if (byId !== 'none') return byId
  if (release === undefined) return undefined
  if (release === 'none') return debugId === undefined ? NO_DEBUG_ID : noArtifact(debugId)
  const byUrl = release.ok ? files.ask({ kind: 'url', projectId, release: name ?? '', dist, url }) : release
  if (byUrl === undefined || byUrl.ok || debugId === undefined) return byUrl
  // Where a script of the release names a map that is missing, that says more than that nothing has the id.
  return LOOKED_FOR.has(byUrl.problem) ? noArtifact(debugId) : byUrl
}

const LOOKED_FOR: ReadonlySet<string> = new Set(['no_release_files', 'other_dist', 'no_such_file'])

const NO_DEBUG_ID: FoundFiles = {
  ok: false,
  problem: 'no_debug_id',
  detail: 'the event has neither a debug id of this file nor a release',
}

function noArtifact(debugId: string): FoundFiles {
  return { ok: false, problem: 'no_artifact', detail: `debug id ${debugId}` }
}

/** Which frames are of scripts that may have been bundled, and how their files are called. */
export type ScriptPlace = {
  readonly url: string
  readonly debugId: string | undefined
  /** From 1. */
  readonly line: number
  /** From 1; undefined: old browsers do not tell. */
  readonly column: number | undefined
}

/** What no upload can be about: engines, extensions, code that a tool evaluates piece by piece. */
const NOT_UPLOADED =
  /^(?:node:|internal\/|native(?: code)?$|\[native code\]|eval code|<|index \d+$|wasm:|webpack-internal:|webkit-masked-url:|[a-z-]+-extension:|\(?(?:native|unknown location)\)?$)/i

const isJavaScript = (platform: string): boolean => platform === 'javascript' || platform === 'node'

/** Of a file's address its debug id, as the SDK found them in the page. */
export type DebugIds = ReadonlyMap<string, string>

export function debugIdsOf(event: Pick<NormalizedEvent, 'debug_meta'>): DebugIds {
  const images = event.debug_meta?.['images']
  const ids = new Map<string, string>()
  if (!Array.isArray(images)) return ids
  for (const image of images as readonly unknown[]) {
    if (typeof image !== 'object' || image === null) continue
    const { type, code_file: file, debug_id: id } = image as Readonly<Record<string, unknown>>
    const debugId = debugIdOf(id)
    if (type === 'sourcemap' && typeof file === 'string' && debugId !== undefined) ids.set(file, debugId)
  }
  return ids
}

/** Cheap: most events of other languages end here. */
export function mayHaveScripts(event: NormalizedEvent): boolean {
  if (isJavaScript(event.platform)) return true
  const isScript = ({ platform }: Frame): boolean => platform !== undefined && isJavaScript(platform)
  const stacks = [...(event.exception ?? []), ...(event.threads ?? [])]
  return stacks.some(({ stacktrace }) => stacktrace?.frames.some(isScript))
}

/** Undefined: it is of another language, or of no file that somebody could upload. */
export function placeOf(frame: Frame, eventPlatform: string, ids: DebugIds): ScriptPlace | undefined {
  if (!isJavaScript(frame.platform ?? eventPlatform)) return undefined
  const url = frame.abs_path ?? frame.filename
  if (url === undefined || frame.lineno === undefined || frame.lineno < 1 || NOT_UPLOADED.test(url))
    return undefined
  const debugId = ids.get(url) ?? (frame.filename === undefined ? undefined : ids.get(frame.filename))
  const column = frame.colno !== undefined && frame.colno > 0 ? frame.colno : undefined
  return { url, debugId, line: frame.lineno, column }
}

/** People do not write lines this long; minifiers put a whole file on one. */
const HAND_WRITTEN_CHARACTERS = 300

/** The SDK sent the line itself, and it is one that people can read: servers run their code as it is. */
export function showsItsCode({ context_line: line }: Frame): boolean {
  return line !== undefined && line.length <= HAND_WRITTEN_CHARACTERS && !line.includes('{snip}')
}
