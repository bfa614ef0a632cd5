/** Finds the function around a place of generated code. Made once per file and kept beside its map. */
import { findFunctions, type FoundFunction } from './find-functions.ts'

export type EnclosingFunction = {
  /** Where its name stands in the generated code, from 0; undefined: it has none. */
  readonly name: (CodePlace & { readonly text: string }) | undefined
  /** Of a function expression without a name of its own: where it begins, and where its parameters do. */
  readonly begins: readonly CodePlace[]
}
/** From 0. */
export type CodePlace = { readonly line: number; readonly column: number }

export type FunctionIndex = {
  /** Line and column from 0. Undefined: the place is in no function. */
  around(line: number, column: number): EnclosingFunction | undefined
  /** Of the parenthesis that calls a function where it stands, `function(a){…}(b)`: where the function begins. */
  calledAt(line: number, column: number): CodePlace | undefined
  /** About what it takes in memory, the code included. */
  readonly bytes: number
}

const NEWLINE = 10
const OPEN_PAREN = 40
const BYTES_A_FUNCTION = 88

export function createFunctionIndex(code: string): FunctionIndex {
  const lineStarts = [0]
  for (let at = 0; at < code.length; at++) if (code.charCodeAt(at) === NEWLINE) lineStarts.push(at + 1)
  // Outer functions first where two begin at one place.
  const functions = findFunctions(code).toSorted((a, b) => a.start - b.start || b.end - a.end)
  const parents = parentsOf(functions)
  return {
    around(line, column) {
      const lineStart = lineStarts[line]
      if (lineStart === undefined) return undefined
      const offset = lineStart + column
      let at = lastNotAfter(functions.length, (index) => functions[index]!.start <= offset)
      while (at !== -1 && functions[at]!.end <= offset) at = parents[at]!
      if (at === -1) return undefined
      const { start, nameStart, parametersStart } = functions[at]!
      const isNamed = parametersStart === -1 || nameStart > start
      return {
        name: nameOf(functions[at]!),
        begins: isNamed ? [] : [placeOf(start), placeOf(parametersStart)],
      }
    },
    calledAt(line, column) {
      const offset = (lineStarts[line] ?? NaN) + column
      if (code.charCodeAt(offset) !== OPEN_PAREN) return undefined
      let at = lastNotAfter(functions.length, (index) => functions[index]!.start <= offset)
      while (at !== -1 && functions[at]!.end < offset) at = parents[at]!
      const called = at === -1 ? undefined : functions[at]!
      return called?.end === offset && called.parametersStart !== -1 ? placeOf(called.start) : undefined
    },
    bytes: code.length * 2 + functions.length * BYTES_A_FUNCTION + lineStarts.length * 8,
  }

  function nameOf({ start, end, nameStart, nameEnd }: FoundFunction): EnclosingFunction['name'] {
    if (nameStart === -1) return undefined
    // `total: function(…){…}(items)`: what it is assigned to names its result.
    if (nameStart < start && code.charCodeAt(end) === OPEN_PAREN) return undefined
    return { ...placeOf(nameStart), text: code.slice(nameStart, nameEnd) }
  }

  function placeOf(offset: number): CodePlace {
    const line = lastNotAfter(lineStarts.length, (index) => lineStarts[index]! <= offset)
    return { line, column: offset - lineStarts[line]! }
  }
}

/** Of each function the one that it lies in; -1: none. */
function parentsOf(functions: readonly FoundFunction[]): Int32Array {
  const parents = new Int32Array(functions.length)
  const open: number[] = []
  functions.forEach(({ start }, at) => {
    while (open.length > 0 && functions[open.at(-1)!]!.end <= start) open.pop()
    parents[at] = open.at(-1) ?? -1
    open.push(at)
  })
  return parents
}

/** The last index for which it holds, where it holds for all before; -1: for none. */
function lastNotAfter(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}
