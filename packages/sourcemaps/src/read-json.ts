/** The JSON object of a map, whatever its bytes are. */
import { checkStructure } from './check-structure.ts'
import { isObject, type JsonObject } from './map-fields.ts'
import { MapError } from './map-problem.ts'

export const MAX_MAP_BYTES = 256 * 1024 * 1024
// Servers once put it before JSON so that a page could not run it as a script; the standard says to skip it.
const GUARD = /^\)\]\}'[^\n]*\n/

/** @throws MapError `too_large`, `not_json` */
export function readJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > MAX_MAP_BYTES)
    throw new MapError('too_large', `${bytes.length} bytes; at most ${MAX_MAP_BYTES} are read`)
  checkStructure(bytes)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new MapError('not_json', 'it is no UTF-8')
  }
  let map: unknown
  try {
    map = JSON.parse(text.replace(GUARD, ''))
  } catch (error) {
    const begins = JSON.stringify(text.slice(0, 20))
    throw new MapError('not_json', `${(error as Error).message.slice(0, 100)}; it begins with ${begins}`)
  }
  if (!isObject(map)) throw new MapError('not_json', 'it is no JSON object')
  return map
}
