/**
 * Writes everything beyond ASCII in a bundle's files as `\u` escapes. V8 keeps the text of each script for as long as its
 * functions live, once in each process and worker thread, and one character beyond ASCII doubles what Node makes of it all.
 * Done to the files, since a bundler that prints code once more turns escapes into characters again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { decodedMappings, encodedMappings, type EncodedSourceMap, TraceMap } from '@jridgewell/trace-mapping'
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
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as EncodedSourceMap
    writeFileSync(file, ascii)
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: moved(code, map) }))
  }
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Columns move on by what was written before them. */
function moved(code: string, map: EncodedSourceMap): string {
  const lines = code.split('\n')
  const mappings = decodedMappings(new TraceMap(map)).map((segments, line) => {
    const places = [...(lines[line] ?? '').matchAll(BEYOND_ASCII)].map(({ index }) => index)
    let before = 0
    return segments.map(([column, ...rest]) => {
      while (before < places.length && (places[before] ?? 0) < column) before++
      return [column + before * WIDENED, ...rest] as (typeof segments)[number]
    })
  })
  return encodedMappings(new TraceMap({ ...map, mappings }))
}
