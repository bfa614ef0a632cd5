/**
 * Bytes of everything that the telemetry store keeps, as background merges left it: `node count-parts.ts <folder>`. In
 * a process of its own, because the engine opens once per process.
 */
import { silentLogger } from '@sonde/base'
import { openTelemetry } from '@sonde/stores'

export type StoredParts = { readonly bytes: number; readonly parts: number }

const telemetry = await openTelemetry({ dir: process.argv[2] ?? '' }, { logger: silentLogger })
const [found] = await telemetry.query<StoredParts>(
  `SELECT toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(count()) AS parts
   FROM system.parts WHERE active AND database = currentDatabase()`,
)
console.log(JSON.stringify(found))
await telemetry.close()
