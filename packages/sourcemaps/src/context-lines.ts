/** The lines of a source around a place, for people to read. */

export type ContextLines = {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

export type ContextOptions = {
  /** Lines on each side. */
  readonly lines: number
  /** A longer line is cut; the one of the place so that its column stays in it. */
  readonly maxLength: number
}

const CUT = '…'

/** Line and column count from 0. Undefined: the source has no such line. */
export function contextLines(
  content: string,
  line: number,
  column: number,
  { lines, maxLength }: ContextOptions,
): ContextLines | undefined {
  const before: string[] = []
  const after: string[] = []
  let own: string | undefined
  let at = 0
  // Up to the last line that is wanted: a source may have megabytes behind it.
  for (let number = 0; number <= line + lines && at <= content.length; number++) {
    const newline = content.indexOf('\n', at)
    const end = newline === -1 ? content.length : newline
    if (number >= line - lines) {
      const text = content.slice(at, content[end - 1] === '\r' ? end - 1 : end)
      if (number < line) before.push(cut(text, 0, maxLength))
      else if (number === line) own = cut(text, column, maxLength)
      else after.push(cut(text, 0, maxLength))
    }
    at = end + 1
  }
  return own === undefined ? undefined : { before, line: own, after }
}

function cut(text: string, column: number, maxLength: number): string {
  if (text.length <= maxLength) return text
  const from = Math.max(0, Math.min(column - Math.floor(maxLength / 2), text.length - maxLength))
  const shown = text.slice(from, from + maxLength)
  return `${from > 0 ? CUT : ''}${shown}${from + maxLength < text.length ? CUT : ''}`
}
