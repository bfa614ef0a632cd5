/** The square of modules while it is drawn: what is dark, and what is not free for data. */
import type { QrVersion } from './versions.ts'

export type Grid = {
  readonly size: number
  readonly isDark: (x: number, y: number) => boolean
  /** Part of a pattern, not of the data. */
  readonly isFixed: (x: number, y: number) => boolean
  readonly fix: (x: number, y: number, isDark: boolean) => void
  readonly draw: (x: number, y: number, isDark: boolean) => void
}

export function createGrid(size: number): Grid {
  const dark = new Uint8Array(size * size)
  const fixed = new Uint8Array(size * size)
  const draw = (x: number, y: number, isDark: boolean): void => {
    dark[y * size + x] = isDark ? 1 : 0
  }
  return {
    size,
    draw,
    isDark: (x, y) => dark[y * size + x] === 1,
    isFixed: (x, y) => fixed[y * size + x] === 1,
    fix(x, y, isDark) {
      draw(x, y, isDark)
      fixed[y * size + x] = 1
    },
  }
}

/** Timing lines, finders in three corners, alignment patterns (ISO/IEC 18004:2015, 6.3), and version information. */
export function drawPatterns(grid: Grid, { number, size, alignment }: QrVersion): void {
  for (let at = 0; at < size; at++) {
    grid.fix(6, at, at % 2 === 0)
    grid.fix(at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    drawRings(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4)
  }
  const last = size - 7
  for (const x of alignment) {
    for (const y of alignment) {
      const isAtFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (!isAtFinder) drawRings(grid, x, y, 2, (ring) => ring !== 1)
    }
  }
  if (number >= 7) drawVersion(grid, number)
}

function drawRings(
  grid: Grid,
  centreX: number,
  centreY: number,
  radius: number,
  isDark: (ring: number) => boolean,
): void {
  for (let y = centreY - radius; y <= centreY + radius; y++) {
    for (let x = centreX - radius; x <= centreX + radius; x++) {
      if (x < 0 || y < 0 || x >= grid.size || y >= grid.size) continue
      grid.fix(x, y, isDark(Math.max(Math.abs(x - centreX), Math.abs(y - centreY))))
    }
  }
}

/** Twice, beside two of the finders: 6 bits and 12 that repair them (Annex D). */
function drawVersion(grid: Grid, version: number): void {
  const bits = withRemainder(version, 12, 0x1f25)
  for (let index = 0; index < 18; index++) {
    const isDark = ((bits >> index) & 1) === 1
    const near = Math.floor(index / 3)
    const far = grid.size - 11 + (index % 3)
    grid.fix(far, near, isDark)
    grid.fix(near, far, isDark)
  }
}

const LEVEL_M_BITS = 0b00
/** So that no format is all light (Annex C). */
const FORMAT_MASK = 0x5412

/** Level and mask, twice; drawn before the data too, so that their places are taken. */
export function drawFormat(grid: Grid, mask: number): void {
  const bits = withRemainder((LEVEL_M_BITS << 3) | mask, 10, 0x537) ^ FORMAT_MASK
  const isDark = (index: number): boolean => ((bits >> index) & 1) === 1
  const { size } = grid
  for (let index = 0; index < 15; index++) {
    if (index < 6) grid.fix(8, index, isDark(index))
    else if (index < 8) grid.fix(8, index + 1, isDark(index))
    else if (index === 8) grid.fix(7, 8, isDark(index))
    else grid.fix(14 - index, 8, isDark(index))
    if (index < 8) grid.fix(size - 1 - index, 8, isDark(index))
    else grid.fix(8, size - 15 + index, isDark(index))
  }
  grid.fix(8, size - 8, true)
}

/** `value` with the remainder behind it that makes it divisible by the generator. */
function withRemainder(value: number, bits: number, generator: number): number {
  let rest = value
  for (let step = 0; step < bits; step++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * generator)
  return (value << bits) | rest
}
