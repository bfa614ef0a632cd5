/** What is right and wrong with one script and its map. Pure: the same for a folder and for a page. */
import { MapError, readSourceMap, type Source, type SourceMap } from '@sonde/sourcemaps'
import type { ServerState } from './ask-server.ts'
import type { BundleProblem } from './problems.ts'
import { codeFacts } from './script-facts.ts'

// Tries a map on places of its code: each must lead to a line and column that the source has. It finds maps of another
// build or another file, which are valid and lead to the wrong places.

/** Enough that a tenth of wrong ones is seen, quick on 50 MB of code. */
const SAMPLES = 200
// Some generators are off by a few at the end of lines.
const MAX_WRONG_SHARE = 0.05
// Code that a bundler adds comes from nowhere: a small file may be half of it.
const MIN_MAPPED_SHARE = 0.1
/** A line that is longer has more in it than the snippet of a debug id. */
const MAX_SNIPPET = 600

type PositionCheck = {
  readonly tried: number
  /** Of these: that lead to a source. */
  readonly mapped: number
  /** Of the mapped ones: that lead to what the source does not have. */
  readonly wrong: number
  /** For people; undefined: nothing is wrong. */
  readonly problem?: string
}

function checkPositions(
  code: string,
  map: SourceMap,
  textOf: (source: Source) => string | undefined,
): PositionCheck {
  const places = samplePlaces(code)
  const lengths = new Map<Source, readonly number[] | undefined>()
  let mapped = 0
  let wrong = 0
  let example = ''
  for (const { line, column } of places) {
    const found = map.lookUp(line, column)
    if (!found) continue
    mapped++
    if (!lengths.has(found.source)) lengths.set(found.source, lineLengths(textOf(found.source)))
    const said = wrongPlace(found, lengths.get(found.source))
    if (said === undefined) continue
    wrong++
    if (example === '') example = `${line + 1}:${column + 1} of the file leads to ${said}`
  }
  const counts = { tried: places.length, mapped, wrong }
  if (places.length > 0 && mapped < places.length * MIN_MAPPED_SHARE)
    return { ...counts, problem: `only ${mapped} of ${places.length} places of the code are in the map` }
  if (wrong > mapped * MAX_WRONG_SHARE)
    return { ...counts, problem: `${wrong} of ${mapped} places lead to nothing: ${example}` }
  return counts
}

function wrongPlace(
  { source, line, column }: { source: Source; line: number; column: number },
  lengths: readonly number[] | undefined,
): string | undefined {
  if (source.path === null) return 'a source without a name'
  // Without its text nothing can be compared; `no_sources` says so.
  if (lengths === undefined) return undefined
  const length = lengths[line]
  if (length === undefined) return `line ${line + 1} of ${source.path}, which has ${lengths.length}`
  return column > length
    ? `column ${column + 1} of line ${line + 1} of ${source.path}, which has ${length}`
    : undefined
}

const lineLengths = (text: string | undefined): readonly number[] | undefined =>
  text?.split('\n').map((line) => line.length)

/** Beginnings of words, spread over the whole code. Lines and columns count from 0. */
function samplePlaces(code: string): { line: number; column: number }[] {
  const step = Math.max(1, Math.floor(code.length / SAMPLES))
  const places: { line: number; column: number }[] = []
  let line = 0
  let lineStart = 0
  let newline = code.indexOf('\n')
  for (let from = 0; from < code.length; from += step) {
    const at = wordStart(code, from, Math.min(code.length, from + step))
    if (at === -1) continue
    while (newline !== -1 && newline < at) {
      line++
      lineStart = newline + 1
      newline = code.indexOf('\n', lineStart)
    }
    const lineText = code.slice(
      lineStart,
      newline === -1 ? undefined : Math.min(newline, lineStart + MAX_SNIPPET),
    )
    if (!isNotMapped(lineText)) places.push({ line, column: at - lineStart })
  }
  return places
}

function wordStart(code: string, from: number, to: number): number {
  for (let at = from; at < to; at++) if (isWord(code, at) && !isWord(code, at - 1)) return at
  return -1
}

const WORD = /[A-Za-z_$]/
const isWord = (code: string, at: number): boolean => WORD.test(code[at] ?? '')
/** Comments of tools at the end and licences at the beginning; a line that is nothing but the snippet of a debug id. */
const isNotMapped = (line: string): boolean =>
  /^\s*(?:\/\/|\/\*|\*)/.test(line) || (line.length < MAX_SNIPPET && line.includes('sentry-dbid-'))

/** Many builds delete their maps once they are uploaded: what the server can read is not missing. */
const NOT_MISSED: ReadonlySet<BundleProblem> = new Set(['no_map', 'map_missing', 'not_checked'])

/** A check with what the server has under its debug id. Undefined: it has no debug id. */
export function withState(check: BundleCheck, told: ServerState | undefined): BundleCheck {
  const { debugId, problems } = check
  if (debugId === undefined) return check
  const state = told?.state ?? 'missing'
  if (state === 'readable')
    return { ...check, server: state, problems: problems.filter(({ problem }) => !NOT_MISSED.has(problem)) }
  const rest = problems.filter(({ problem }) => problem !== 'not_checked')
  const own =
    state === 'missing'
      ? ({ problem: 'not_uploaded', detail: `the server has nothing with ${debugId}` } as const)
      : ({ problem: 'broken_upload', detail: told?.detail ?? '' } as const)
  return { ...check, server: state, problems: [...rest, own] }
}

/** A script with its map, wherever they were found: in a folder or on a page. */

export type FoundBundle = {
  /** Path below the folder, or address. */
  readonly name: string
  readonly code: string
  readonly map: FoundMap
  /** Text of a source that the map names without bringing it; undefined: it is not there. */
  readonly sourceText?: (path: string) => string | undefined
}

export type FoundMap =
  | {
      readonly kind: 'found'
      /** On this machine; absent: it stands in the script, or was fetched. */
      readonly path?: string
      /** As people find it again: `app.js.map`, `inline`, an address. */
      readonly place: string
      readonly bytes: Uint8Array
    }
  /** It is named, or expected, and is not there. */
  | { readonly kind: 'missing'; readonly place: string; readonly detail: string }
  /** On a page: nobody may read it from outside, as it should be; nothing more can be said here. */
  | { readonly kind: 'hidden' }
  /** Nothing says that there is one. */
  | { readonly kind: 'none' }

export type BundleCheck = {
  readonly file: string
  /** Lower case with hyphens. */
  readonly debugId?: string
  /** Where the map was found. */
  readonly map?: string
  readonly mapDebugId?: string
  /** How many sources the map names, and of how many there is the text. */
  readonly sources?: { readonly named: number; readonly withText: number }
  readonly positions?: PositionCheck
  /** What the server has under the debug id. */
  readonly server?: 'readable' | 'missing' | 'broken'
  readonly problems: readonly { readonly problem: BundleProblem; readonly detail: string }[]
}

/** A script that the page, one of its scripts or a manifest names, and that is not there. */
export type MissingScript = {
  readonly name: string
  /** What the server answers. */
  readonly detail: string
  /** Address of what names it. */
  readonly namedBy: string
}

/** Visitors get a chunk load error where it is needed. */
export const checkMissing = ({ name, detail, namedBy }: MissingScript): BundleCheck => ({
  file: name,
  problems: [{ problem: 'script_missing', detail: `${detail}; ${namedBy} names it` }],
})

type Problems = { problem: BundleProblem; detail: string }[]

export function checkBundle(bundle: FoundBundle): BundleCheck {
  const { name, code, map } = bundle
  const { debugId } = codeFacts(code)
  const problems: Problems = []
  const file = { file: name, ...(debugId === undefined ? {} : { debugId }) }
  if (debugId === undefined)
    problems.push({ problem: 'no_debug_id', detail: 'nothing ties this file to its map' })
  if (map.kind === 'none')
    problems.push({ problem: 'no_map', detail: 'it names no source map, and none lies beside it' })
  if (map.kind === 'missing') problems.push({ problem: 'map_missing', detail: `${map.place}: ${map.detail}` })
  if (map.kind === 'hidden')
    problems.push({ problem: 'not_checked', detail: 'its map is not public, as it should be' })
  if (map.kind !== 'found') return { ...file, problems }
  const read = readMap(map.bytes)
  if ('detail' in read) {
    problems.push({ problem: 'map_unreadable', detail: `${map.place}: ${read.detail}` })
    return { ...file, map: map.place, problems }
  }
  return { ...file, map: map.place, ...ofMap(bundle, read.map, debugId, problems), problems }
}

function readMap(bytes: Uint8Array): { readonly map: SourceMap } | { readonly detail: string } {
  try {
    return { map: readSourceMap(bytes) }
  } catch (error) {
    if (error instanceof MapError) return { detail: error.message }
    throw error
  }
}

function ofMap(
  { code, sourceText }: FoundBundle,
  map: SourceMap,
  debugId: string | undefined,
  problems: Problems,
): Pick<BundleCheck, 'mapDebugId' | 'sources' | 'positions'> {
  if (map.debugId !== undefined && debugId !== undefined && map.debugId !== debugId) {
    problems.push({
      problem: 'ids_differ',
      detail: `the file has ${debugId}, its map ${map.debugId}: they are of two builds`,
    })
  }
  const texts = new Map(
    map.sources.map((source) => [
      source,
      source.content ?? (source.path === null ? undefined : sourceText?.(source.path)),
    ]),
  )
  const withText = [...texts.values()].filter((text) => text !== undefined).length
  const sources = { named: map.sources.length, withText }
  if (withText === 0) {
    problems.push({
      problem: 'no_sources',
      detail: `the map has no text of its ${map.sources.length} sources: there is no code to show`,
    })
  }
  const positions = checkPositions(code, map, (source) => texts.get(source))
  if (positions.problem !== undefined)
    problems.push({ problem: 'wrong_positions', detail: positions.problem })
  return { ...(map.debugId === undefined ? {} : { mapDebugId: map.debugId }), sources, positions }
}
