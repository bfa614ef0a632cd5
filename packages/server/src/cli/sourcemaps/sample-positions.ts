/**
 * Tries a map on places of its code: each must lead to a line and column that the source has. It finds maps of another
 * build or another file, which are valid and lead to the wrong places.
 */
import type { Source, SourceMap } from '@sonde/sourcemaps'

/** Enough that a tenth of wrong ones is seen, quick on 50 MB of code. */
const SAMPLES = 200
// Some generators are off by a few at the end of lines.
const MAX_WRONG_SHARE = 0.05
// Code that a bundler adds comes from nowhere: a small file may be half of it.
const MIN_MAPPED_SHARE = 0.1
/** A line that is longer has more in it than the snippet of a debug id. */
const MAX_SNIPPET = 600

export type PositionCheck = {
  readonly tried: number
  /** Of these: that lead to a source. */
  readonly mapped: number
  /** Of the mapped ones: that lead to what the source does not have. */
  readonly wrong: number
  /** For people; undefined: nothing is wrong. */
  readonly problem?: string
}

export function checkPositions(
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
