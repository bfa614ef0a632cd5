/** A source map that was read whole and checked: positions of generated code become positions of sources. */
import { checkCommon, debugIdOf, partsOf, plainFields, readJson } from './map-fields.ts'
import { readMappings } from './read-mappings.ts'
import { functionNameAt, readScopes, type Scope, scopeRoom } from './read-scopes.ts'
import { createSegmentWriter, findSegment, NONE, segmentAt, type Segments } from './segments.ts'

export type Source = {
  /** As the map says, with `sourceRoot` before it; null: nameless. */
  readonly path: string | null
  readonly content: string | null
  /** Not the application's own, by `ignoreList`. */
  readonly isIgnored: boolean
}

/** Lines and columns count from 0; columns are UTF-16 code units. */
export type OriginalPosition = {
  readonly source: Source
  readonly line: number
  readonly column: number
  /** Where the piece of generated code begins that comes from here. */
  readonly generatedColumn: number
  /** What the identifier at this place is called in the source; null: the map does not say. */
  readonly name: string | null
  /** What the function around it is called; null: it has no name, undefined: the map has no scopes that say. */
  readonly functionName: string | null | undefined
}

export type SourceMap = {
  /** Lower case with hyphens; undefined: it has none. */
  readonly debugId: string | undefined
  readonly sources: readonly Source[]
  /** Undefined: no segment of the line begins at or before it, or the code there comes from no source. */
  lookUp(line: number, column: number): OriginalPosition | undefined
  /** What it takes in memory, about: for a cache that is bounded in bytes. */
  readonly bytes: number
}

/** @throws MapError; nothing else, whatever the bytes are */
export function readSourceMap(bytes: Uint8Array): SourceMap {
  const map = readJson(bytes)
  checkCommon(map)
  const writer = createSegmentWriter()
  const sources: Source[] = []
  const names: string[] = []
  const scopes: (Scope | undefined)[] = []
  const room = scopeRoom()
  for (const { line, column, end, map: part } of partsOf(map)) {
    checkCommon(part)
    const fields = plainFields(part)
    const limits = { sources: fields.sources.length, names: fields.names.length }
    const place = { line, column, end, firstSource: sources.length, firstName: names.length }
    readMappings(fields.mappings, limits, place, writer)
    for (const name of fields.names) names.push(name)
    const own = fields.scopes === undefined ? [] : readScopes(fields.scopes, fields.names, room)
    fields.sources.forEach((path, at) => {
      scopes.push(own[at])
      sources.push({ path, content: fields.contents[at] ?? null, isIgnored: fields.ignored.has(at) })
    })
  }
  const segments = writer.done()
  return {
    debugId: debugIdOf(map['debugId']) ?? debugIdOf(map['debug_id']),
    sources,
    bytes: bytesOf(segments, sources, names),
    lookUp(line, column) {
      const found = findSegment(segments, line, column)
      if (found === NONE) return undefined
      const segment = segmentAt(segments, found)
      const source = sources[segment.source]
      if (source === undefined) return undefined
      const { line: originalLine, originalColumn, name } = segment
      return {
        source,
        line: originalLine,
        column: originalColumn,
        generatedColumn: segment.column,
        name: names[name] ?? null,
        functionName: functionNameAt(scopes[segment.source], originalLine, originalColumn),
      }
    },
  }
}

function bytesOf(
  { numbers, lines, lineStarts }: Segments,
  sources: readonly Source[],
  names: readonly string[],
): number {
  let texts = 0
  for (const { path, content } of sources) texts += (path?.length ?? 0) + (content?.length ?? 0)
  for (const name of names) texts += name.length
  // A text of another alphabet takes two bytes a letter.
  return numbers.byteLength + lines.byteLength + lineStarts.byteLength + texts * 2
}
