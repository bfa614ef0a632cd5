/** A place in a script, as browsers name it in performance entries, led back to its source. */
import type { CodePosition, SourcePosition } from '@sonde/protocol/code-position'
import type { FoundFiles } from '@sonde/stores'
import type { KnownFiles, MissingFiles } from '../maps/file-requests.ts'
import type { ItemFiles } from '../stages/event-input.ts'
import { findFiles } from './find-files.ts'
import { readPosition } from './read-position.ts'

const MAX_TEXT = 512

export function resolvePosition(position: CodePosition, files: ItemFiles): SourcePosition | MissingFiles {
  const answer = resolve(position, files.known)
  const missing = files.takeLacks()
  return missing.length > 0 || answer === undefined ? { missing } : answer
}

/** Undefined: files are missing. */
function resolve(position: CodePosition, files: KnownFiles): SourcePosition | undefined {
  const { projectId, url, debugId, release, dist } = position
  const found = findFiles(files, { projectId, url, debugId, release, dist })
  if (found === undefined || !found.ok) return found
  const place = placeIn(position, found, files)
  if (place === undefined || 'ok' in place) return place
  const read = readPosition(files, found, place.line, place.column)
  if (read === undefined || !read.ok) return read
  const { line, column } = read.position
  return {
    ok: true,
    source: (read.filename ?? read.mapUrl).slice(0, MAX_TEXT),
    line: line + 1,
    column: column + 1,
    ...(typeof read.functionName === 'string' && { functionName: read.functionName.slice(0, MAX_TEXT) }),
    ...(read.context && { contextLine: read.context.line }),
    isInApp: read.isInApp ?? true,
  }
}

type Place = { readonly line: number; readonly column: number }

/** From 0, as source maps count. */
function placeIn(
  { at }: CodePosition,
  { script, map }: Extract<FoundFiles, { readonly ok: true }>,
  files: KnownFiles,
): Place | Extract<SourcePosition, { readonly ok: false }> | undefined {
  if ('line' in at) return { line: at.line - 1, column: at.column - 1 }
  const code = script === undefined ? 'none' : files.script(script)
  if (code === undefined) return undefined
  if (code === 'none') {
    const detail = `only ${map.url} was uploaded; without the script character ${at.character} has no line`
    return { ok: false, problem: 'no_such_file', detail }
  }
  const place = code.lines.at(at.character)
  if (place) return place
  const detail = `the uploaded ${script?.url ?? 'script'} has no character ${at.character}`
  return { ok: false, problem: 'other_file', detail }
}
