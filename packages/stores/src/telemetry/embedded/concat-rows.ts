/** Rows to the bytes of one insert, newline after each, without building the joined string in between. */
export function concatRows(rows: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0))
  let at = 0
  for (const row of rows) {
    at += bytes.write(row, at)
    bytes[at++] = 0x0a
  }
  return bytes
}
