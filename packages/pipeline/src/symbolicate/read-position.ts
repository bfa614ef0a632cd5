/** A place in a generated script → the place in its source, with what stands there. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  type ContextLines,
  contextLines,
  functionName,
  type OriginalPosition,
  type SourceMap,
} from '@sonde/sourcemaps'
import type { FoundFile, FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/known-files.ts'
import type { LoadedScript, LoadedText } from '../maps/load-file.ts'

export type ReadPosition =
  | {
      readonly ok: true
      readonly position: OriginalPosition
      /** Null: it has no name. Undefined: it is in no function, or (`isNameKnown` false) nothing says. */
      readonly functionName: string | null | undefined
      readonly isNameKnown: boolean
      readonly context: ContextLines | undefined
      readonly mapUrl: string
      /** `no_source`: there is no code to show. */
      readonly problem: FrameProblem | undefined
      readonly detail: string
    }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

/** What is shown around a line, as SDKs do it; longer lines are data, and grouping takes none above 300 characters. */
const CONTEXT = { lines: 5, maxLength: 240 }
/** Without a column a line is searched this far: whoever minifies has more on it than one line of source. */
const SEARCHED_COLUMNS = 400

/** Line and column from 0. Undefined: files are not known yet, and noted as lacking. */
export function readPosition(
  files: KnownFiles,
  found: Extract<FoundFiles, { readonly ok: true }>,
  line: number,
  column: number | undefined,
): ReadPosition | undefined {
  const loaded = files.map(found)
  const script = found.script && files.script(found.script)
  if (loaded === undefined) return undefined
  if (!loaded.ok) return { ok: false, problem: loaded.problem, detail: `${found.map.url}: ${loaded.detail}` }
  if (found.script && script === undefined) return undefined
  const code = script === 'none' ? undefined : script
  if (code && !code.lines.has(line, column ?? 0)) return otherFile(found, line, column)
  const at = column === undefined ? onlyColumn(loaded.map, line) : column
  const position = at === undefined ? undefined : loaded.map.lookUp(line, at)
  if (at === undefined || !position) return noPosition(found, line, column)
  return withSource(files, found, position, nameOf(loaded.map, code, line, at))
}

function nameOf(map: SourceMap, code: LoadedScript | undefined, line: number, column: number) {
  const name = functionName(map, code?.functions, line, column)
  return { functionName: name, isNameKnown: name !== undefined || code !== undefined }
}

function withSource(
  files: KnownFiles,
  { map }: Extract<FoundFiles, { readonly ok: true }>,
  position: OriginalPosition,
  name: { readonly functionName: string | null | undefined; readonly isNameKnown: boolean },
): ReadPosition | undefined {
  const { source, line, column } = position
  const text = source.content === null ? separateSource(files, map, source.path) : { text: source.content }
  if (text === undefined) return undefined
  const shown = { ok: true, position, ...name, mapUrl: map.url } as const
  const path = source.path ?? 'a source without a name'
  if (text === 'none')
    return { ...shown, context: undefined, problem: 'no_source', detail: `${path} is not in ${map.url}` }
  const context = contextLines(text.text, line, column, CONTEXT)
  if (context) return { ...shown, context, problem: undefined, detail: '' }
  return { ...shown, context, problem: 'no_source', detail: `${path} in ${map.url} has no line ${line + 1}` }
}

function separateSource(
  files: KnownFiles,
  map: FoundFile,
  path: string | null,
): LoadedText | 'none' | undefined {
  if (path === null) return 'none'
  const file = files.ask({
    kind: 'source',
    bundleId: map.bundleId,
    mapUrl: map.url,
    path: path.slice(0, 1000),
  })
  return file === undefined || file === 'none' ? file : files.text(file)
}

/** A column of a line all of which comes from one line of one source; undefined: there are several, or none. */
function onlyColumn(map: SourceMap, line: number): number | undefined {
  let column: number | undefined
  let only: OriginalPosition | undefined
  for (let at = 0; at < SEARCHED_COLUMNS; at++) {
    const position = map.lookUp(line, at)
    if (!position) continue
    if (only && (position.source !== only.source || position.line !== only.line)) return undefined
    only ??= position
    column ??= at
  }
  return column
}

function otherFile(
  { script }: Extract<FoundFiles, { readonly ok: true }>,
  line: number,
  column: number | undefined,
): ReadPosition {
  const detail = `the uploaded ${script?.url ?? 'script'} has no ${placeText(line, column)}`
  return { ok: false, problem: 'other_file', detail }
}

function noPosition(
  { map }: Extract<FoundFiles, { readonly ok: true }>,
  line: number,
  column: number | undefined,
): ReadPosition {
  const detail =
    column === undefined
      ? `the frame has no column, and line ${line + 1} comes from several lines of source`
      : `${map.url} says nothing of ${placeText(line, column)}`
  return { ok: false, problem: 'no_position', detail }
}

const placeText = (line: number, column: number | undefined): string =>
  column === undefined ? `line ${line + 1}` : `line ${line + 1}, column ${column + 1}`
