/**
 * Writes everything beyond ASCII in a bundle's files as `\u` escapes. V8 keeps the text of each script for as long as its
 * functions live, once in each process and worker thread, and one character beyond ASCII doubles what Node makes of it all.
 * Done to the files, since a bundler that prints code once more turns escapes into characters again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

// Of code units: an escape of each half of a pair is the pair again, in strings, templates and expressions.
const BEYOND_ASCII = /[\u0080-\uffff]/g
/** A template of which somebody reads the source and not the text. */
const RAW = /\braw`[^`]*[\u0080-\uffff][^`]*`/
/** Characters that an escape has more than what it stands for. */
const WIDENED = '\\u0000'.length - 1

/** Their source maps lie beside them. */
export function writeAsAscii(files: readonly string[]): void {
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
    if (code.search(BEYOND_ASCII) === -1) continue
    const raw = RAW.exec(code)
    if (raw) throw new Error(`${file}: an escape would change the source of ${raw[0].slice(0, 80)}`)
    const ascii = code.replace(BEYOND_ASCII, escaped)
    // A name with a character of two units cannot be written like that.
    parseAst(ascii)
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { readonly mappings: string }
    writeFileSync(file, ascii)
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: moved(code, map.mappings) }))
  }
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Columns move on by what was written before them. A line's segments begin with the column, as the distance from the one
 * before: https://tc39.es/ecma426/#sec-mappings
 */
function moved(code: string, mappings: string): string {
  const lines = code.split('\n')
  return mappings
    .split(';')
    .map((segments, line) => {
      const places = [...(lines[line] ?? '').matchAll(BEYOND_ASCII)].map(({ index }) => index)
      if (segments === '' || places.length === 0) return segments
      let column = 0
      let last = 0
      let before = 0
      return segments
        .split(',')
        .map((segment) => {
          const { distance, rest } = readDistance(segment)
          column += distance
          while (before < places.length && (places[before] ?? 0) < column) before++
          const now = column + before * WIDENED
          const written = writeDistance(now - last) + rest
          last = now
          return written
        })
        .join(',')
    })
    .join(';')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Columns of a line rise: the sign, which is the lowest bit, is never set. */
function readDistance(segment: string): { readonly distance: number; readonly rest: string } {
  let value = 0
  for (let at = 0; ; at++) {
    const digit = DIGITS.indexOf(segment.charAt(at))
    if (digit === -1) throw new Error(`a segment of a source map is cut: ${segment}`)
    value |= (digit & 31) << (5 * at)
    if ((digit & 32) !== 0) continue
    if ((value & 1) !== 0) throw new Error('columns of a line in a source map do not rise')
    return { distance: value >> 1, rest: segment.slice(at + 1) }
  }
}

function writeDistance(distance: number): string {
  let text = ''
  let value = distance << 1
  do {
    text += DIGITS.charAt((value & 31) | (value > 31 ? 32 : 0))
    value >>>= 5
  } while (value > 0)
  return text
}
