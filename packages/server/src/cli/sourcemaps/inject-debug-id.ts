/** Ties a script and its map together by a debug id. Done twice it changes nothing the second time. */
import { createHash } from 'node:crypto'
import { debugIdOf } from '@sonde/sourcemaps'
import { debugIdSnippet, snippetPlace } from './debug-id-snippet.ts'
import { codeFacts } from './generated-code.ts'
import { shiftMap } from './shift-map.ts'

export type JsonMap = Readonly<Record<string, unknown>>

export type Injected = {
  readonly debugId: string
  readonly code: string
  readonly map: JsonMap
  readonly isCodeChanged: boolean
  readonly isMapChanged: boolean
}

export type Refused = { readonly refused: string }

/**
 * An id that code or map already has stays. A new one is made of both, so that the same build has the same id wherever it
 * is made. The snippet is a line of its own: no column of the code moves, and the map is shifted by that line.
 */
export function injectDebugId(code: string, map: JsonMap): Injected | Refused {
  const facts = codeFacts(code)
  const mapId = debugIdOf(map['debugId']) ?? debugIdOf(map['debug_id'])
  if (facts.debugId !== undefined && mapId !== undefined && facts.debugId !== mapId)
    return {
      refused: `the file has the debug id ${facts.debugId}, its map ${mapId}: they are of two builds; clear the folder and build again`,
    }
  const debugId = facts.debugId ?? mapId ?? newDebugId(code, map)
  let newCode = code
  let newMap = map
  if (!facts.hasIdSnippet) {
    const { at, line, directives } = snippetPlace(code)
    newCode = `${code.slice(0, at)}${directives}${debugIdSnippet(debugId)}\n${code.slice(at)}`
    newMap = shiftMap(map, line)
  }
  // The last lines: tools look for it there.
  if (!facts.hasIdComment) newCode = `${newCode.replace(/\n*$/, '\n')}//# debugId=${debugId}\n`
  if (map['debugId'] !== debugId || map['debug_id'] !== debugId)
    newMap = { ...newMap, debugId, debug_id: debugId }
  return {
    debugId,
    code: newCode,
    map: newMap,
    isCodeChanged: newCode !== code,
    isMapChanged: newMap !== map,
  }
}

/** In the form of a UUID of version 5 (RFC 9562). */
function newDebugId(code: string, map: JsonMap): string {
  const hash = createHash('sha256').update(code).update('\0').update(JSON.stringify(map)).digest()
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const id = debugIdOf(hash.subarray(0, 16).toString('hex'))
  if (id === undefined) throw new Error('a hash did not make a debug id')
  return id
}
