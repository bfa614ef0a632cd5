/** Where pieces of generated code come from, in typed arrays: 20 bytes a segment, a tenth of what arrays of arrays take. */
import { MapError } from './map-fields.ts'

const FIELDS = 5
const FIRST_CAPACITY = 1024
/** Of `source` and `name`: there is none. */
export const NONE = -1

export type Segments = {
  /** Generated column, source, original line, original column, name: five numbers a segment, by generated position. */
  readonly numbers: Int32Array
  /** Generated lines that have segments, rising: lines without any cost nothing, however many a section steps over. */
  readonly lines: Uint32Array
  /** Of each of them, its first segment; one more than there are lines. */
  readonly lineStarts: Uint32Array
}

export type SegmentWriter = {
  /** A segment of the line that was begun last. */
  add(column: number, source: number, line: number, originalColumn: number, name: number): void
  /** From now on this line (never a lower one). */
  goToLine(line: number): void
  done(): Segments
}

// 335 MB of numbers. The largest maps of real builds have some four million.
export const MAX_SEGMENTS = 2 ** 24
export const tooManySegments = (): MapError =>
  new MapError('too_large', `it has more than ${MAX_SEGMENTS} segments`)

export function createSegmentWriter(): SegmentWriter {
  let numbers = new Int32Array(FIRST_CAPACITY * FIELDS)
  let lines = new Uint32Array(FIRST_CAPACITY)
  let lineStarts = new Uint32Array(FIRST_CAPACITY)
  let lineCount = 0
  let count = 0
  let line = 0
  let isSorted = true

  const finishLine = (): void => {
    if (!isSorted) sortByColumn(numbers, lineStarts[lineCount - 1]!, count)
    isSorted = true
  }
  const beginLine = (): void => {
    if (lineCount + 1 >= lines.length) {
      lines = grow(lines, Uint32Array)
      lineStarts = grow(lineStarts, Uint32Array)
    }
    lines[lineCount] = line
    lineStarts[lineCount++] = count
  }

  return {
    add(column, source, originalLine, originalColumn, name) {
      if (count === MAX_SEGMENTS) throw tooManySegments()
      let at = count * FIELDS
      if (at === numbers.length) numbers = grow(numbers, Int32Array)
      if (lineCount === 0 || lines[lineCount - 1] !== line) beginLine()
      else if (column < numbers[at - FIELDS]!) isSorted = false
      numbers[at++] = column
      numbers[at++] = source
      numbers[at++] = originalLine
      numbers[at++] = originalColumn
      numbers[at] = name
      count++
    },
    goToLine(next) {
      if (next === line) return
      finishLine()
      line = next
    },
    done() {
      finishLine()
      lineStarts[lineCount] = count
      return {
        numbers: numbers.slice(0, count * FIELDS),
        lines: lines.slice(0, lineCount),
        lineStarts: lineStarts.slice(0, lineCount + 1),
      }
    },
  }
}

/** The last segment at or before a position of a line; -1 when there is none. */
export function findSegment(segments: Segments, line: number, column: number): number {
  const { numbers, lineStarts } = segments
  const at = indexOfLine(segments, line)
  if (at === NONE) return NONE
  const first = lineStarts[at]!
  let low = first
  let high = lineStarts[at + 1]! - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (numbers[middle * FIELDS]! <= column) low = middle + 1
    else high = middle - 1
  }
  if (high < first) return NONE
  // Of several that begin exactly here the first counts; what lies behind them belongs to the last.
  return numbers[high * FIELDS] === column ? firstOfColumn(numbers, first, high) : high
}

/** The first with the column of `last`. By halves: a million at one place are meant to take time. */
function firstOfColumn(numbers: Int32Array, first: number, last: number): number {
  const column = numbers[last * FIELDS]!
  let low = first
  let high = last
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle * FIELDS]! < column) low = middle + 1
    else high = middle
  }
  return low
}

function indexOfLine({ lines }: Segments, line: number): number {
  let low = 0
  let high = lines.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = lines[middle]!
    if (found === line) return middle
    if (found < line) low = middle + 1
    else high = middle - 1
  }
  return NONE
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
  const order = Uint32Array.from({ length: to - from }, (_, at) => from + at)
  order.sort((a, b) => numbers[a * FIELDS]! - numbers[b * FIELDS]! || a - b)
  const sorted = new Int32Array(order.length * FIELDS)
  order.forEach((at, place) => sorted.set(numbers.subarray(at * FIELDS, (at + 1) * FIELDS), place * FIELDS))
  numbers.set(sorted, from * FIELDS)
}
