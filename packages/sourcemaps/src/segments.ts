/** Where pieces of generated code come from, in typed arrays: 20 bytes a segment, a tenth of what arrays of arrays take. */
import { MapError } from './map-problem.ts'

const FIELDS = 5
const FIRST_CAPACITY = 1024
/** Of `source` and `name`: there is none. */
export const NONE = -1

export type Segments = {
  /** Generated column, source, original line, original column, name: five numbers a segment, by generated position. */
  readonly numbers: Int32Array
  /** Of each generated line, its first segment; one more than there are lines. */
  readonly lineStarts: Uint32Array
}

export type SegmentWriter = {
  /** A segment of the line that was begun last. */
  add(column: number, source: number, line: number, originalColumn: number, name: number): void
  /** From now on this line (never a lower one). */
  goToLine(line: number): void
  done(): Segments
}

// A map of a million lines that are all empty costs four bytes each; a section's offset alone must not cost gigabytes.
export const MAX_LINES = 20_000_000

// 335 MB of numbers. The largest maps of real builds have some four million.
export const MAX_SEGMENTS = 2 ** 24
export const tooManySegments = (): MapError =>
  new MapError('too_large', `it has more than ${MAX_SEGMENTS} segments`)

export function createSegmentWriter(): SegmentWriter {
  let numbers = new Int32Array(FIRST_CAPACITY * FIELDS)
  let lineStarts = new Uint32Array(FIRST_CAPACITY)
  let count = 0
  let line = 0
  let isSorted = true

  const finishLine = (): void => {
    if (!isSorted) sortByColumn(numbers, lineStarts[line]!, count)
    isSorted = true
  }

  return {
    add(column, source, originalLine, originalColumn, name) {
      if (count === MAX_SEGMENTS) throw tooManySegments()
      let at = count * FIELDS
      if (at === numbers.length) numbers = grow(numbers, Int32Array)
      if (count > lineStarts[line]! && column < numbers[at - FIELDS]!) isSorted = false
      numbers[at++] = column
      numbers[at++] = source
      numbers[at++] = originalLine
      numbers[at++] = originalColumn
      numbers[at] = name
      count++
    },
    goToLine(next) {
      finishLine()
      while (line < next) {
        line++
        if (line + 1 >= lineStarts.length) lineStarts = grow(lineStarts, Uint32Array)
        lineStarts[line] = count
      }
    },
    done() {
      finishLine()
      lineStarts[line + 1] = count
      return { numbers: numbers.slice(0, count * FIELDS), lineStarts: lineStarts.slice(0, line + 2) }
    },
  }
}

/** The last segment at or before a position of a line; -1 when there is none. */
export function findSegment({ numbers, lineStarts }: Segments, line: number, column: number): number {
  if (line < 0 || line + 1 >= lineStarts.length) return NONE
  const first = lineStarts[line]!
  let low = first
  let high = lineStarts[line + 1]! - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (numbers[middle * FIELDS]! <= column) low = middle + 1
    else high = middle - 1
  }
  if (high < first) return NONE
  // Of several that begin exactly here the first counts; what lies behind them belongs to the last.
  if (numbers[high * FIELDS] === column)
    while (high > first && numbers[(high - 1) * FIELDS] === column) high--
  return high
}

export type Segment = {
  readonly column: number
  /** `NONE` when the code comes from nowhere; the others say nothing then. */
  readonly source: number
  readonly line: number
  readonly originalColumn: number
  /** `NONE` when it has no name. */
  readonly name: number
}

export function segmentAt({ numbers }: Segments, index: number): Segment {
  const at = index * FIELDS
  return {
    column: numbers[at]!,
    source: numbers[at + 1]!,
    line: numbers[at + 2]!,
    originalColumn: numbers[at + 3]!,
    name: numbers[at + 4]!,
  }
}

function grow<A extends Int32Array | Uint32Array>(old: A, type: new (length: number) => A): A {
  const larger = new type(old.length * 2)
  larger.set(old)
  return larger
}

/** Rare: generators write in order. Stable, so that of equal columns the first stays the first. */
function sortByColumn(numbers: Int32Array, from: number, to: number): void {
  const order = Array.from({ length: to - from }, (_, at) => from + at)
  order.sort((a, b) => numbers[a * FIELDS]! - numbers[b * FIELDS]!)
  const sorted = order.flatMap((at) => [...numbers.subarray(at * FIELDS, (at + 1) * FIELDS)])
  numbers.set(sorted, from * FIELDS)
}
