/** Draws a QR code of a text, made here because the secret in it must not go to anybody's image service. */
import { codewordsOf } from './codewords.ts'
import { createGrid, drawFormat, drawPatterns, type Grid } from './grid.ts'
import { applyMask, MASKS, penaltyOf } from './masks.ts'
import { capacityBytes, QR_VERSIONS } from './versions.ts'

export type QrCode = {
  /** Modules along one side, without the light border of four that belongs around it. */
  readonly size: number
  readonly isDark: (x: number, y: number) => boolean
}

/** Undefined when the text has more bytes than the largest code here holds (666). */
export function qrCodeOf(text: string): QrCode | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = QR_VERSIONS.find((each) => capacityBytes(each) >= bytes.length)
  if (!version) return undefined
  const grid = createGrid(version.size)
  drawPatterns(grid, version)
  drawFormat(grid, 0)
  drawData(grid, codewordsOf(bytes, version))
  const penalties = MASKS.map((_, mask) => {
    drawFormat(grid, mask)
    applyMask(grid, mask)
    const penalty = penaltyOf(grid)
    applyMask(grid, mask)
    return penalty
  })
  const best = penalties.indexOf(Math.min(...penalties))
  drawFormat(grid, best)
  applyMask(grid, best)
  return { size: grid.size, isDark: grid.isDark }
}

/** Upwards and downwards in columns of two, from the right; the timing line's column is left out (7.7.3). */
function drawData(grid: Grid, codewords: readonly number[]): void {
  const { size } = grid
  let bit = 0
  let isUpwards = true
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = isUpwards ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (grid.isFixed(x, y)) continue
        // A few modules can be left over; they stay light.
        grid.draw(x, y, (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1)
        bit++
      }
    }
    isUpwards = !isUpwards
  }
}

/** The dark modules as the path of an SVG, a module being 1 × 1: runs of a row are one rectangle. */
export function qrPath({ size, isDark }: QrCode): string {
  let path = ''
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!isDark(x, y)) continue
      const start = x
      while (x < size && isDark(x, y)) x++
      path += `M${start} ${y}h${x - start}v1h-${x - start}z`
    }
  }
  return path
}
