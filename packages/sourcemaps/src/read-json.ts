/** The JSON object of a map, whatever its bytes are. */
import { isObject, type JsonObject } from './map-fields.ts'

/** Why a source map is refused. What somebody reads stands in `detail`. */
export const MAP_PROBLEMS = [
  /** More bytes than may be read at once. */
  'too_large',
  /** No JSON object: truncated, an HTML error page, another file. */
  'not_json',
  'version',
  /** A field is missing or of another type than ECMA-426 says. */
  'field',
  /** `mappings` ends within a number, has letters that are none of base64, or too many or few numbers. */
  'mappings',
  /** A number points outside of `sources` or `names`, below 0 or above 2³¹−1. */
  'out_of_range',
  /** Sections that overlap, are out of order or within each other, or lie at another address. */
  'sections',
] as const
export type MapProblem = (typeof MAP_PROBLEMS)[number]

export class MapError extends Error {
  readonly problem: MapProblem
  constructor(problem: MapProblem, detail: string) {
    super(detail)
    this.problem = problem
  }
}

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

/**
 * How much JSON wants to become: `[[],[],…]` takes thirteen times its bytes, `[{},{},…]` twenty. Told from the bytes before
 * anything is made of them, so that a file of some hundred megabytes cannot take the process with it.
 */
const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const OPEN_BRACE = 123

/** Lists, objects and what is in them. At up to 180 bytes each 360 MB; a map of 50 MB has some hundred thousand. */
const MAX_VALUES = 2_000_000

/** Bytes that are no JSON are left to who reads it. @throws MapError `too_large` */
function checkStructure(bytes: Uint8Array): void {
  // Fewer bytes have fewer values.
  if (bytes.length <= MAX_VALUES) return
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = stringEnd(bytes, at + 1)
    else if ((byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) && ++values > MAX_VALUES)
      throw new MapError('too_large', `it has more than ${MAX_VALUES} values`)
  }
}

/** Of the closing quote. Texts are nearly all of a map: the engine looks for the quotes. */
function stringEnd(bytes: Uint8Array, from: number): number {
  let end = bytes.indexOf(QUOTE, from)
  while (end !== -1) {
    let before = end - 1
    while (before >= from && bytes[before] === BACKSLASH) before--
    // An even number of backslashes escape each other.
    if ((end - before) % 2 === 1) return end
    end = bytes.indexOf(QUOTE, end + 1)
  }
  return bytes.length
}
