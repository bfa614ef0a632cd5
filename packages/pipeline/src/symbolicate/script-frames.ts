/** Which frames are of scripts that may have been bundled, and how their files are called. */
import { debugIdOf } from '@sonde/sourcemaps'
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'

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
