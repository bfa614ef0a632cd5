/**
 * Bytes of everything that the telemetry store keeps, as background merges left it: `node count-parts.ts <folder>`. In
 * a process of its own, because the engine opens once per process.
 */
import { silentLogger } from '@sonde/base'
import { openTelemetry } from '@sonde/stores'

export type StoredParts = {
  readonly bytes: number
  readonly parts: number
  /** Bytes by table. */
  readonly tables: Readonly<Record<string, number>>
}

const telemetry = await openTelemetry({ dir: process.argv[2] ?? '' }, { logger: silentLogger })
const rows = await telemetry.query<{ table: string; bytes: number; parts: number }>(
  `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(count()) AS parts
   FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`,
)
const found: StoredParts = {
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  parts: rows.reduce((sum, { parts }) => sum + parts, 0),
  tables: Object.fromEntries(rows.map(({ table, bytes }) => [table, bytes])),
}
console.log(JSON.stringify(found))
await telemetry.close()
