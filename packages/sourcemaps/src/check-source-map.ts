/** Whether a map can be read, without keeping what it says: a tenth of the memory of reading it. */
import { checkCommon, debugIdOf, partsOf, plainFields, readJson } from './map-fields.ts'
import { readMappings } from './read-mappings.ts'
import { readScopes, scopeRoom } from './read-scopes.ts'
import { MAX_SEGMENTS, type SegmentWriter, tooManySegments } from './segments.ts'

export type CheckedMap = {
  /** Lower case with hyphens; undefined: it has none. */
  readonly debugId: string | undefined
  /** Which file it is the map of, as the bundler called it; undefined: it does not say. */
  readonly file: string | undefined
  readonly sourceCount: number
  /** How many of the sources have their text in it. */
  readonly contentCount: number
  readonly segmentCount: number
}

/** @throws MapError exactly when `readSourceMap` does; nothing else */
export function checkSourceMap(bytes: Uint8Array): CheckedMap {
  const map = readJson(bytes)
  checkCommon(map)
  let sourceCount = 0
  let contentCount = 0
  let segmentCount = 0
  const counter: Omit<SegmentWriter, 'done'> = {
    add() {
      if (++segmentCount > MAX_SEGMENTS) throw tooManySegments()
    },
    goToLine: () => undefined,
  }
  const room = scopeRoom()
  for (const { line, column, end, map: part } of partsOf(map)) {
    checkCommon(part)
    const { sources, contents, names, mappings, scopes } = plainFields(part)
    const limits = { sources: sources.length, names: names.length }
    readMappings(mappings, limits, { line, column, end, firstSource: 0, firstName: 0 }, counter)
    if (scopes !== undefined) readScopes(scopes, names, room)
    sourceCount += sources.length
    contentCount += sources.filter((_, at) => typeof contents[at] === 'string').length
  }
  const debugId = debugIdOf(map['debugId']) ?? debugIdOf(map['debug_id'])
  const file = typeof map['file'] === 'string' ? map['file'] : undefined
  return { debugId, file, sourceCount, contentCount, segmentCount }
}
