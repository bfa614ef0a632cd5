/** How wide a text is on a terminal, and tables that fit it. */
import { terminalLine, terminalWidth } from './print.ts'

const segments = new Intl.Segmenter()
/** Emoji, and the letters of East Asia that take two columns. https://www.unicode.org/reports/tr11/ */
const WIDE =
  /\p{Emoji_Presentation}|\p{scx=Han}|\p{scx=Hangul}|\p{scx=Hiragana}|\p{scx=Katakana}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** Columns. */
export function textWidth(text: string): number {
  let width = 0
  for (const { segment } of segments.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** What is cut ends with `…`. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let cut = ''
  let left = width - 1
  for (const { segment } of segments.segment(text)) {
    left -= WIDE.test(segment) ? 2 : 1
    if (left < 0) break
    cut += segment
  }
  return `${cut}…`
}

export type Column = {
  readonly head: string
  /** Gives way where the table is wider than the terminal. */
  readonly isFlexible?: boolean
  readonly isNumber?: boolean
}

/** Less of a flexible column says nothing. */
const LEAST = 12
const GAP = '  '

/** A cell is one line, whatever stands in it. `width` undefined: nothing is cut. */
export function fittedTable(
  columns: readonly Column[],
  texts: readonly (readonly string[])[],
  width: number | undefined = terminalWidth(),
): string {
  const rows = [columns.map(({ head }) => head), ...texts.map((row) => row.map(terminalLine))]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))))
  const gaps = GAP.length * (columns.length - 1)
  let over = width === undefined ? 0 : widths.reduce((sum, one) => sum + one, gaps) - width
  columns.forEach(({ isFlexible }, column) => {
    const own = widths[column] ?? 0
    if (!isFlexible || over <= 0) return
    widths[column] = Math.max(Math.min(own, LEAST), own - over)
    over -= own - (widths[column] ?? 0)
  })
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const cut = cutText(cell, widths[column] ?? 0)
          const pad = ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cut)))
          return columns[column]?.isNumber ? pad + cut : cut + pad
        })
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}
