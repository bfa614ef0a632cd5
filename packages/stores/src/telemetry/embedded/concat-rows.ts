/**
 * Rows to the bytes of one insert, a newline after each, without building the joined string in between. A batch has
 * megabytes; the event loop gets its turn after each slice, since this process also answers screens.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_CHARS = 512 * 1024

export async function concatRows(rows: readonly string[]): Promise<Buffer> {
  let length = 0
  await inSlices(rows, (row) => {
    length += Buffer.byteLength(row) + 1
  })
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  await inSlices(rows, (row) => {
    at += bytes.write(row, at)
    bytes[at++] = 0x0a
  })
  return bytes
}

async function inSlices(rows: readonly string[], each: (row: string) => void): Promise<void> {
  let chars = 0
  for (const row of rows) {
    each(row)
    chars += row.length
    if (chars < SLICE_CHARS) continue
    chars = 0
    await nextTurn()
  }
}
