/** What every reader of symbols answers, and the table of functions without lines that ELF and Mach-O files hold. */

/** One function at an address; `line` from 1. */
export type SymbolPlace = {
  readonly function: string
  readonly file: string | undefined
  readonly line: number | undefined
}

export type SymbolTable = {
  /** `address`: relative to where the image begins. The innermost inlined function first; empty: nothing is known of it. */
  lookUp(address: number): readonly SymbolPlace[]
  /** Start of the function at the address. */
  startOf(address: number): number | undefined
  /** Why it tells functions alone, for people. Undefined: it has lines. */
  readonly lacksLines: string | undefined
  /** What it takes in memory, about. */
  readonly bytes: number
}

/** The file cannot be read; the message is for people. */
export class SymbolError extends Error {
  override readonly name = 'SymbolError'
}

export type PlainSymbol = { readonly address: number; readonly size: number; readonly name: string }

/** Symbols of size 0 reach to the next one, but no further than this: what lies behind them is of nobody. */
const MAX_REACH = 1024 * 1024

export function createPlainTable(symbols: readonly PlainSymbol[]): SymbolTable {
  const sorted = symbols.toSorted((a, b) => a.address - b.address || b.size - a.size)
  const starts = Float64Array.from(sorted, ({ address }) => address)
  let bytes = starts.byteLength
  for (const { name } of sorted) bytes += 64 + name.length
  const find = (address: number): PlainSymbol | undefined => {
    let at = lastAtMost(starts, address)
    // Of several names for one address the first has the largest size.
    while (at > 0 && starts[at - 1] === starts[at]) at--
    const found = sorted[at]
    if (found === undefined) return undefined
    const reach = found.size === 0 ? MAX_REACH : found.size
    return address < found.address + reach ? found : undefined
  }
  return {
    lacksLines: 'it has no line tables',
    bytes,
    startOf: (address) => find(address)?.address,
    lookUp(address) {
      const found = find(address)
      return found ? [{ function: found.name, file: undefined, line: undefined }] : []
    },
  }
}

/** Index of the last number that is at most `value`, between `from` and `to` (exclusive); -1: all are larger. */
export function lastAtMost(sorted: Float64Array, value: number, from = 0, to = sorted.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low === from ? -1 : low - 1
}
