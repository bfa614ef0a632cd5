/** Eight patterns that break up large areas; the one that is easiest to read is kept (ISO/IEC 18004:2015, 7.8). */
import type { Grid } from './grid.ts'

export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Turns every module of the data that the mask covers; doing it twice undoes it. */
export function applyMask(grid: Grid, mask: number): void {
  const covers = MASKS[mask]
  if (!covers) throw new Error(`there is no mask ${mask}`)
  for (let y = 0; y < grid.size; y++) {
    for (let x = 0; x < grid.size; x++) {
      if (!grid.isFixed(x, y) && covers(x, y)) grid.draw(x, y, !grid.isDark(x, y))
    }
  }
}

const RUN = /(.)\1{4,}/g
/** Looks like a finder: 1:1:3:1:1 with four light modules on one side. */
const FINDER_LIKE = [/(?=10111010000)/g, /(?=00001011101)/g] as const

/** The lower, the easier to read. */
export function penaltyOf(grid: Grid): number {
  const { size } = grid
  const line = (isDark: (at: number) => boolean): string =>
    Array.from({ length: size }, (_, at) => (isDark(at) ? '1' : '0')).join('')
  const numbers = Array.from({ length: size }, (_, index) => index)
  const rows = numbers.map((y) => line((x) => grid.isDark(x, y)))
  const columns = numbers.map((x) => line((y) => grid.isDark(x, y)))
  const ofLines = [...rows, ...columns].reduce((sum, text) => sum + linePenalty(text), 0)
  return ofLines + squarePenalty(rows) + balancePenalty(rows.join(''))
}

function linePenalty(line: string): number {
  const runs = [...line.matchAll(RUN)].reduce((sum, [run]) => sum + run.length - 2, 0)
  const finders = FINDER_LIKE.reduce((sum, pattern) => sum + [...line.matchAll(pattern)].length, 0)
  return runs + finders * 40
}

function squarePenalty(rows: readonly string[]): number {
  let squares = 0
  for (const [y, row] of rows.entries()) {
    const below = rows[y + 1] ?? ''
    for (let x = 0; x + 1 < row.length; x++) {
      const four = row.slice(x, x + 2) + below.slice(x, x + 2)
      if (four === '0000' || four === '1111') squares++
    }
  }
  return squares * 3
}

/** How far from half of the modules are dark, in steps of 5 %. */
function balancePenalty(modules: string): number {
  const dark = modules.replaceAll('0', '').length
  return Math.floor((Math.abs(dark * 2 - modules.length) * 10) / modules.length) * 10
}
