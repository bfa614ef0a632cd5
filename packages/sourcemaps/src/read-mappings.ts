/** Reads `mappings` of one map (ECMA-426 §mappings structure), checking every number against what it points to. */
import { MapError } from './map-fields.ts'
import { COMMA, MAX_VALUE, readSigned, SEMICOLON, type VlqReader } from './read-vlq.ts'
import { NONE, type SegmentWriter } from './segments.ts'

export type MappingsPlace = {
  /** Where the map begins in the generated code: of a section its offset. */
  readonly line: number
  readonly column: number
  /** Added to its sources and names: sections before it had so many. */
  readonly firstSource: number
  readonly firstName: number
  /** What lies there and behind it belongs to the section that begins there. */
  readonly end?: { readonly line: number; readonly column: number } | undefined
}
export type MappingsLimits = { readonly sources: number; readonly names: number }

const BEHIND_ALL = { line: Infinity, column: Infinity }

/** @throws MapError `mappings`, `out_of_range` */
export function readMappings(
  mappings: string,
  { sources, names }: MappingsLimits,
  place: MappingsPlace,
  into: Omit<SegmentWriter, 'done'>,
): void {
  const reader: VlqReader = { text: mappings, at: 0 }
  let generatedLine = place.line
  // The offset's column counts for the first line only.
  let firstColumn = place.column
  let column = 0
  let source = 0
  let line = 0
  let originalColumn = 0
  let name = 0
  const { end = BEHIND_ALL } = place
  const goTo = (next: number): void => {
    inRange('a line of generated code', next, MAX_VALUE)
    if (next <= end.line) into.goToLine(next)
  }
  const isOwn = (at: number): boolean =>
    generatedLine < end.line || (generatedLine === end.line && at < end.column)
  goTo(generatedLine)
  const { length } = mappings
  while (reader.at < length) {
    const code = mappings.charCodeAt(reader.at)
    if (code === SEMICOLON) {
      goTo(++generatedLine)
      firstColumn = column = 0
      reader.at++
      continue
    }
    column = inRange('a column', column + readSigned(reader), MAX_VALUE)
    const at = inRange('a column', firstColumn + column, MAX_VALUE)
    if (isEnd(mappings, reader.at)) {
      if (isOwn(at)) into.add(at, NONE, 0, 0, NONE)
    } else {
      source = inRange('a source', source + readSigned(reader), sources - 1)
      line = inRange('an original line', line + readSigned(reader), MAX_VALUE)
      originalColumn = inRange('an original column', originalColumn + readSigned(reader), MAX_VALUE)
      const isNamed = !isEnd(mappings, reader.at)
      if (isNamed) name = inRange('a name', name + readSigned(reader), names - 1)
      if (isOwn(at))
        into.add(
          at,
          place.firstSource + source,
          line,
          originalColumn,
          isNamed ? place.firstName + name : NONE,
        )
    }
    if (!isEnd(mappings, reader.at)) throw unexpected('a segment of more than five numbers', reader)
    if (mappings.charCodeAt(reader.at) !== COMMA) continue
    reader.at++
    if (isEnd(mappings, reader.at)) throw unexpected('a segment without numbers', reader)
  }
}

const unexpected = (what: string, { at }: VlqReader): MapError =>
  new MapError('mappings', `${what} (position ${at})`)

function isEnd(mappings: string, at: number): boolean {
  if (at >= mappings.length) return true
  const code = mappings.charCodeAt(at)
  return code === COMMA || code === SEMICOLON
}

function inRange(what: string, value: number, max: number): number {
  if (value < 0 || value > max)
    throw new MapError('out_of_range', `${what} is ${value}; the map allows 0 to ${max}`)
  return value
}
