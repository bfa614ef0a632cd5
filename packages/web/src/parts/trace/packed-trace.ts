/**
 * A trace on its way to the browser: columns instead of objects, texts written once, times as whole microseconds from
 * the line before. 10,000 spans take some 40 bytes each. Pure.
 */
export const ROW_FLAGS = {
  failed: 1,
  critical: 2,
  'missing-parent': 4,
  cycle: 8,
  'duplicate-id': 16,
  segment: 32,
  /** It ended after its parent did. */
  outlives: 64,
} as const
export type RowFlag = keyof typeof ROW_FLAGS

/** One line before it is packed; parents come before their children. */
export type UnpackedRow = {
  readonly id: string
  /** Index of the parent's line; -1: none. */
  readonly parent: number
  /** Milliseconds after the trace's begin. */
  readonly startMs: number
  readonly durationMs: number
  readonly name: string
  readonly op: string
  /** Index in the trace's services. */
  readonly service: number
  readonly flags: number
}

export type PackedRows = {
  /** Sixteen digits each. */
  readonly ids: string
  /** Distance to the line of the parent, upwards; 0: no parent. */
  readonly up: readonly number[]
  /** Microseconds after the start of the line before. */
  readonly start: readonly number[]
  readonly length: readonly number[]
  readonly texts: readonly string[]
  /** Indexes in `texts`. */
  readonly name: readonly number[]
  readonly op: readonly number[]
  readonly service: readonly number[]
  readonly flags: readonly number[]
}

const ID_CHARS = 16
const MICROS = 1000

export function packRows(rows: readonly UnpackedRow[]): PackedRows {
  const indexes = new Map<string, number>()
  const indexOf = (text: string): number => {
    const known = indexes.get(text)
    if (known !== undefined) return known
    indexes.set(text, indexes.size)
    return indexes.size - 1
  }
  let lastStart = 0
  const start = rows.map(({ startMs }) => {
    const at = Math.round(startMs * MICROS)
    const step = at - lastStart
    lastStart = at
    return step
  })
  const name = rows.map((row) => indexOf(row.name))
  const op = rows.map((row) => indexOf(row.op))
  return {
    ids: rows.map(({ id }) => id.padStart(ID_CHARS, '0')).join(''),
    up: rows.map(({ parent }, at) => (parent < 0 ? 0 : at - parent)),
    start,
    length: rows.map(({ durationMs }) => Math.round(durationMs * MICROS)),
    texts: [...indexes.keys()],
    name,
    op,
    service: rows.map(({ service }) => service),
    flags: rows.map(({ flags }) => flags),
  }
}

/** The lines of a trace as the screen reads them; every list has an entry per line. */
export type TraceRows = {
  readonly count: number
  readonly ids: readonly string[]
  readonly parents: Int32Array
  /** The line after the last one below it. */
  readonly ends: Int32Array
  readonly depths: Int32Array
  readonly startsMs: Float64Array
  readonly durationsMs: Float64Array
  readonly names: readonly string[]
  readonly ops: readonly string[]
  readonly services: readonly number[]
  readonly flags: readonly number[]
}

export function unpackRows(packed: PackedRows): TraceRows {
  const count = packed.up.length
  const parents = new Int32Array(count)
  const depths = new Int32Array(count)
  const ends = new Int32Array(count)
  const startsMs = new Float64Array(count)
  let startUs = 0
  for (let row = 0; row < count; row++) {
    const up = packed.up[row] ?? 0
    const parent = up === 0 ? -1 : row - up
    parents[row] = parent
    depths[row] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1
    startUs += packed.start[row] ?? 0
    startsMs[row] = startUs / MICROS
  }
  // From the last line up: what ends a line's subtree ends its parent's, unless a later one did.
  for (let row = count - 1; row >= 0; row--) {
    if (ends[row] === 0) ends[row] = row + 1
    const parent = parents[row] ?? -1
    if (parent >= 0 && ends[parent] === 0) ends[parent] = ends[row] ?? row + 1
  }
  const textOf = (index: number): string => packed.texts[index] ?? ''
  return {
    count,
    ids: Array.from({ length: count }, (_, row) => packed.ids.slice(row * ID_CHARS, (row + 1) * ID_CHARS)),
    parents,
    ends,
    depths,
    startsMs,
    durationsMs: Float64Array.from(packed.length, (us) => us / MICROS),
    names: packed.name.map(textOf),
    ops: packed.op.map(textOf),
    services: packed.service,
    flags: packed.flags,
  }
}

export const hasFlag = ({ flags }: TraceRows, row: number, flag: RowFlag): boolean =>
  ((flags[row] ?? 0) & ROW_FLAGS[flag]) !== 0
