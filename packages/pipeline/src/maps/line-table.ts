/** Where the lines of a script begin: what lies in it, and which line a character stands in. */

export type LineTable = {
  /** From 0, as source maps count. */
  has(line: number, column: number): boolean
  /** `character` counts UTF-16 code units from 0. Undefined: it lies behind the end. */
  at(character: number): { readonly line: number; readonly column: number } | undefined
  readonly bytes: number
}

export function createLineTable(code: string): LineTable {
  const found = [0]
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) found.push(at + 1)
  const starts = Uint32Array.from(found)
  const { length } = code
  // A trailing newline is counted to its line, so that a position at the very end is within it.
  const lengthOf = (line: number): number => (starts[line + 1] ?? length + 1) - 1 - (starts[line] ?? 0)
  return {
    has: (line, column) => line >= 0 && line < starts.length && column <= lengthOf(line),
    at(character) {
      if (character < 0 || character > length) return undefined
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if (starts[middle]! <= character) low = middle
        else high = middle - 1
      }
      return { line: low, column: character - starts[low]! }
    },
    bytes: starts.byteLength,
  }
}
