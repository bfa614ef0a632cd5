/** The numbers of `mappings` and `scopes`: base64, five bits a letter, the lowest first (ECMA-426, §VLQ). */
import { MapError } from './map-fields.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const NONE = 255
/** By character code; `NONE` for what is no letter. */
const VALUES = new Uint8Array(128).fill(NONE)
for (let at = 0; at < LETTERS.length; at++) VALUES[LETTERS.charCodeAt(at)] = at

export const COMMA = 44
export const SEMICOLON = 59
const CONTINUES = 32
const MAX_VALUE = 2 ** 31 - 1

/** Where reading is. One object for a whole map: it is read number by number, millions of them. */
export type VlqReader = {
  readonly text: string
  at: number
}

/**
 * The number at `at`, unsigned; moves behind it. Leading zero digits may go on for as long as they like, the value may
 * not exceed 32 bits.
 *
 * @throws MapError `mappings`, `out_of_range`
 */
export function readUnsigned(reader: VlqReader): number {
  const { text } = reader
  let value = 0
  let factor = 1
  for (;;) {
    const code = text.charCodeAt(reader.at)
    const digit = code < 128 ? VALUES[code]! : NONE
    if (digit === NONE) throw notALetter(reader)
    reader.at++
    const bits = digit & 31
    if (bits !== 0) {
      value += bits * factor
      if (value > 2 * MAX_VALUE + 1)
        throw new MapError('out_of_range', `a number of more than 32 bits ends at ${reader.at}`)
    }
    if (digit < CONTINUES) return value
    factor *= 32
  }
}

/** The lowest bit is the sign. @throws as `readUnsigned` */
export function readSigned(reader: VlqReader): number {
  const value = readUnsigned(reader)
  const magnitude = value >>> 1
  return value & 1 ? -magnitude : magnitude
}

function notALetter({ text, at }: VlqReader): MapError {
  const what =
    at < text.length ? `${JSON.stringify(text[at])} is no base64 digit` : 'the text ends within a number'
  return new MapError('mappings', `${what} (position ${at})`)
}

export { MAX_VALUE }
