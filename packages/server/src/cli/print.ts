/** What the command line writes: JSON for programs, aligned text for people, and nothing that a terminal acts on. */
import { terminalLine, terminalText } from './terminal-text.ts'

/** The answer, to standard output. */
export function print(text: string): void {
  process.stdout.write(`${terminalText(text)}\n`)
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
