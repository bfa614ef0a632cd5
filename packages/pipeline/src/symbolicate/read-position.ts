/** A place in a generated script → the place in its source, with the text there. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  type ContextLines,
  contextLines,
  functionName,
  type OriginalPosition,
  type Source,
  type SourceMap,
  sourceName,
} from '@sonde/sourcemaps'
import type { FoundFile, FoundFiles } from '@sonde/stores'
import type { KnownFiles } from '../maps/file-requests.ts'
import type { LoadedScript } from '../maps/load-file.ts'
import { isInApp } from '../normalize/in-app.ts'

export type ReadPosition =
  | {
      readonly ok: true
      readonly position: OriginalPosition
      /** As people call the source; undefined: it has no name. */
      readonly filename: string | undefined
      /** Undefined: nothing tells. */
      readonly isInApp: boolean | undefined
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
/** Without a column a line is searched this far: a minifier puts more on it than one line of source. */
const SEARCHED_COLUMNS = 400

/** Line and column from 0. Undefined: files are not known yet, and noted as missing. */
export function readPosition(
  files: KnownFiles,
  found: Extract<FoundFiles, { readonly ok: true }>,
  line: number,
  column: number | undefined,
  isAsync = false,
): ReadPosition | undefined {
  const loaded = files.map(found)
  const script = found.script && files.script(found.script)
  if (loaded === undefined) return undefined
  if (!loaded.ok) return { ok: false, problem: loaded.problem, detail: `${found.map.url}: ${loaded.detail}` }
  if (found.script && script === undefined) return undefined
  const code = script === 'none' ? undefined : script
  const { map } = loaded
  const scriptBlob = code ? (found.script?.blob ?? '') : ''
  const known = column === undefined || isAsync ? undefined : remembered.get(map, scriptBlob, line, column)
  if (known) return known
  if (code && !code.lines.has(line, column ?? 0)) return otherFile(found, line, column)
  const at =
    column === undefined ? onlyColumn(map, line) : isAsync ? awaitedColumn(map, line, column) : column
  const position = at === undefined ? undefined : calledPosition(map, code, line, at)
  if (at === undefined || !position) return noPosition(found, line, column)

  let isLacking = false
  let isOfMapAlone = true
  const textOf = (source: Source): string | null => {
    if (source.content !== null) return source.content
    isOfMapAlone = false
    const text = separateSource(files, found.map, source.path)
    if (text === undefined) isLacking = true
    return text ?? null
  }
  const name = functionName(map, code?.functions, line, at, textOf)
  const text = textOf(position.source)
  if (isLacking) return undefined
  const isNameKnown = name !== undefined || code !== undefined
  const { source } = position
  const filename = sourceName(source.path)
  const read: ReadPosition = {
    ok: true,
    position,
    filename,
    isInApp: isSourceInApp(source, filename),
    functionName: name,
    isNameKnown,
    mapUrl: found.map.url,
    ...shownCode(position, text, found.map.url),
  }
  // Sources that lie beside the map may come and go.
  if (isOfMapAlone && !isAsync && column !== undefined) remembered.set(map, scriptBlob, line, column, read)
  return read
}

const remembered = rememberPositions<ReadPosition>()

/**
 * Engines say of `function(a){…}(b)` that the call is at its last parenthesis. Where a map has nothing for that, what stands
 * before it is the end of the function; the minifiers that write such maps mark its beginning as the call.
 */
function calledPosition(
  map: SourceMap,
  code: LoadedScript | undefined,
  line: number,
  column: number,
): OriginalPosition | undefined {
  const position = map.lookUp(line, column)
  if (position?.generatedColumn === column) return position
  const called = code?.functions.calledAt(line, column)
  const begin = called && map.lookUp(called.line, called.column)
  return begin && begin.generatedColumn === called.column ? begin : position
}

type ShownCode = Pick<Extract<ReadPosition, { readonly ok: true }>, 'context' | 'problem' | 'detail'>

function shownCode(
  { source, line, column }: OriginalPosition,
  text: string | null,
  mapUrl: string,
): ShownCode {
  const path = source.path ?? 'a source without a name'
  if (text === null)
    return { context: undefined, problem: 'no_source', detail: `${path} is not in ${mapUrl}` }
  const context = contextLines(text, line, column, CONTEXT)
  if (context) return { context, problem: undefined, detail: '' }
  return { context, problem: 'no_source', detail: `${path} in ${mapUrl} has no line ${line + 1}` }
}

/**
 * Where a function waits V8 names the place of its `await`. A minifier that puts the awaited call where its result is used
 * maps the `await` to that use, in another line; the operand behind it is what is waited for.
 */
function awaitedColumn(map: SourceMap, line: number, column: number): number {
  const own = map.lookUp(line, column)
  const operand = map.lookUp(line, column + AWAIT.length)
  if (!operand || operand.generatedColumn <= column) return column
  return own && operand.source === own.source && operand.line === own.line ? column : operand.generatedColumn
}
const AWAIT = 'await '

function separateSource(files: KnownFiles, map: FoundFile, path: string | null): string | null | undefined {
  if (path === null) return null
  const file = files.ask({
    kind: 'source',
    bundleId: map.bundleId,
    mapUrl: map.url,
    path: path.slice(0, 1000),
  })
  if (file === undefined || file === 'none') return file && null
  const text = files.text(file)
  return text === 'none' ? null : text?.text
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

/**
 * Places of a map that were read before: the same few places of a bundle are in most of its errors. Without it half of the
 * time of a frame went into finding its line in the source, and a third into collecting what that left behind.
 */
type RememberedPositions<Read> = {
  /** `script`: what the map was read with; of another one nothing is remembered. */
  get(map: SourceMap, script: string, line: number, column: number): Read | undefined
  set(map: SourceMap, script: string, line: number, column: number, read: Read): void
}

/** Some hundred bytes each, beside the megabytes of their map; then it begins anew. */
const MAX_PLACES = 4000
/** Above any column of a file that is read. */
const COLUMNS = 2 ** 27

function rememberPositions<Read>(): RememberedPositions<Read> {
  const ofMap = new WeakMap<SourceMap, { script: string; readonly places: Map<number, Read> }>()
  return {
    get(map, script, line, column) {
      const known = ofMap.get(map)
      return known?.script === script ? known.places.get(line * COLUMNS + column) : undefined
    },
    set(map, script, line, column, read) {
      let known = ofMap.get(map)
      if (known === undefined) ofMap.set(map, (known = { script, places: new Map() }))
      if (known.script !== script || known.places.size >= MAX_PLACES) known.places.clear()
      known.script = script
      known.places.set(line * COLUMNS + column, read)
    },
  }
}

// Whether a source is the application's own, by its path in the map: bundlers add helpers and runtimes of theirs.

/** In the path as the map says it. `\0` is Rollup's mark of modules that no file holds. */
const OF_A_TOOL = new RegExp(
  [
    String.raw`\0`,
    String.raw`(?:^|[/(\s])node_modules/`,
    String.raw`(?:^|/)\.(?:pnpm|yarn)/`,
    // webpack, rspack: bootstrap, runtime/*, buildin, `external "react"`, `ignored|…`
    String.raw`(?:^|/)(?:\(webpack\)|webpack|rspack)/(?:bootstrap|runtime|buildin|universalModuleDefinition|container|startup)`,
    String.raw`(?:^|/)(?:external|ignored|delegated|remote|module federation)[ |]`,
    String.raw`^webpack:///?(?:[^/]*/)?(?:\(webpack\)|webpack/)`,
    // vite: preload-helper, modulepreload-polyfill, client
    String.raw`(?:^|/)(?:@?vite)/(?:preload-helper|modulepreload-polyfill|client|env|dynamic-import-helper|legacy)`,
    String.raw`(?:^|/)@(?:id/__x00__|react-refresh)`,
    // turbopack, next
    String.raw`\[turbopack(?:-[a-z]+)?\]`,
    String.raw`(?:^|/)@turbopack/`,
    String.raw`\[next\]/(?:internal|entry|polyfill)`,
    // rollup, rolldown, parcel, esbuild
    String.raw`(?:^|/)(?:commonjsHelpers|rolldown[:/_]runtime|\(?rollup\)?/)`,
    String.raw`^rolldown:`,
    String.raw`<(?:runtime|define)[:>]`,
    String.raw`^(?:chrome|moz|safari|safari-web)-extension:`,
    String.raw`^node:`,
  ].join('|'),
)

/** Undefined: a source without a name, about which nothing is known. */
export function isSourceInApp({ path, isIgnored }: Source, name: string | undefined): boolean | undefined {
  if (isIgnored) return false
  if (path === null || path === '') return undefined
  const slashed = path.replaceAll('\\', '/')
  if (OF_A_TOOL.test(slashed)) return false
  return isInApp({ abs_path: slashed, ...(name !== undefined && { filename: name }) }, 'javascript')
}
