/** Drawn here because the secret in the text must not go to anybody's image service; on the server only. */
import { encode } from 'uqr'

export type QrCode = {
  /** Modules along one side, without the light border of four that belongs around it. */
  readonly size: number
  /** The dark modules as the path of an SVG, a module being 1 × 1: runs of a row are one rectangle. */
  readonly path: string
}

/** 97 modules along a side: what a phone still reads from a screen. */
const MAX_VERSION = 20

/** Undefined when the text has more bytes than the largest code holds (666). */
export function qrCodeOf(text: string): QrCode | undefined {
  try {
    const { size, data } = encode(text, { ecc: 'M', boostEcc: false, border: 0, maxVersion: MAX_VERSION })
    return { size, path: pathOf(data) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (x < row.length && row[x]) x++
      path += `M${start} ${y}h${x - start}v1h-${x - start}z`
    }
  }
  return path
}
