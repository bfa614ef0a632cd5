/**
 * How much JSON wants to become: `[[],[],…]` takes thirteen times its bytes, `[{},{},…]` twenty. Told from the bytes before
 * anything is made of them, so that a file of some hundred megabytes cannot take the process with it.
 */
import { MapError } from './map-problem.ts'

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const OPEN_BRACE = 123

/** Lists, objects and what is in them. At up to 180 bytes each 360 MB; a map of 50 MB has some hundred thousand. */
const MAX_VALUES = 2_000_000

/** Bytes that are no JSON are left to who reads it. @throws MapError `too_large` */
export function checkStructure(bytes: Uint8Array): void {
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
