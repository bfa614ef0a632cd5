/** What the command line writes: JSON for programs, aligned text for people, and nothing that a terminal acts on. */
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/**
 * Text of strangers on a terminal. SDKs, visitors and members choose item types, names and addresses; written as they
 * are, their control characters recolour, rewrite or hyperlink what the operator reads, and marks of direction reorder it.
 */

/** C0 but tab and line end, DEL, C1; every other invisible mark but the two joiners, which scripts and emoji need. */
// oxlint-disable-next-line no-control-regex
const ACTS = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const BREAKS_LINE = /[\t\n]/g

/** What a terminal would act on is shown as `\u001b`: JSON stays the same JSON, and people see what was there. */
export const terminalText = (text: string): string => text.replaceAll(ACTS, escaped)

/** Also without line ends, by which a text would pass for lines of ours. */
export const terminalLine = (text: string): string => terminalText(text).replaceAll(BREAKS_LINE, escaped)

function escaped(char: string): string {
  return Array.from(
    { length: char.length },
    (_, unit) => String.raw`\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** The answer, to standard output. */
export function print(text: string): void {
  process.stdout.write(`${terminalText(text)}\n`)
}

/** For answers too long for one text: what is written to it goes to standard output, which stays open. */
export function printed(): Writable {
  const decoder = new StringDecoder('utf8')
  const write = (text: string, done: (error?: Error | null) => void): void => {
    if (text === '') done()
    else process.stdout.write(terminalText(text), done)
  }
  return new Writable({
    write: (chunk: Buffer, _, done) => write(decoder.write(chunk), done),
    final: (done) => write(decoder.end(), done),
  })
}

/** Everything that is not the answer, to standard error, so that `--json` stays clean. */
export function note(text: string): void {
  process.stderr.write(`${terminalText(text)}\n`)
}

/** A question, to standard error; the answer is typed on the same line. */
export function prompt(text: string): void {
  process.stderr.write(terminalText(text))
}

/** Columns as wide as their widest cell; a cell is one line, whatever stands in it. */
export function table(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(terminalLine))
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export type Colour = 'red' | 'yellow' | 'green' | 'dim'
const CODES: Readonly<Record<Colour, number>> = { red: 31, yellow: 33, green: 32, dim: 2 }

/** A line of parts, of which some have a colour where a person looks. The parts themselves cannot bring any. */
export function printParts(parts: readonly (string | readonly [text: string, colour: Colour])[]): void {
  const isColoured = hasColours()
  const line = parts.map((part) => {
    const [text, colour] = typeof part === 'string' ? [part, undefined] : part
    const shown = terminalText(text)
    return colour !== undefined && isColoured ? `\u001b[${CODES[colour]}m${shown}\u001b[0m` : shown
  })
  process.stdout.write(`${line.join('')}\n`)
}

/** https://no-color.org */
function hasColours(): boolean {
  const { NO_COLOR: none, FORCE_COLOR: force, TERM: term } = process.env
  if (none) return false
  if (force) return force !== '0'
  return process.stdout.isTTY && term !== 'dumb'
}

/** Columns of the terminal; undefined where nobody looks: a file and a pipe get everything. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? process.stdout.columns || undefined : undefined

/** Who reads standard output has enough: `sonde tail errors | head`. That is no error. */
export function onReaderGone(run: () => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    run()
  })
}
