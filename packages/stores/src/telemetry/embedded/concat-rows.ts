/**
 * Rows to the bytes of one insert, a newline after each, without building the joined string in between. A batch has
 * megabytes; the event loop gets its turn after each slice, since this process also answers screens.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TelemetryRow } from '../telemetry.ts'

const SLICE_LENGTH = 1024 * 1024

export async function concatRows(rows: readonly TelemetryRow[]): Promise<Buffer> {
  const length = rows.reduce((sum, row) => sum + byteLength(row) + 1, 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  let turnAt = SLICE_LENGTH
  for (const row of rows) {
    if (typeof row === 'string') at += bytes.write(row, at)
    else {
      bytes.set(row, at)
      at += row.length
    }
    bytes[at++] = 0x0a
    if (at < turnAt) continue
    turnAt = at + SLICE_LENGTH
    await nextTurn()
  }
  return bytes
}

const byteLength = (row: TelemetryRow): number =>
  typeof row === 'string' ? Buffer.byteLength(row) : row.length
