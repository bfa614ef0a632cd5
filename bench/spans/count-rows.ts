/** What each table keeps, as background merges left it: `node count-rows.ts <data dir>` prints JSON. */
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openTelemetry } from '@sonde/stores'

export type StoredTable = { readonly table: string; readonly rows: number; readonly bytes: number }

const dir = join(process.argv[2] ?? '', 'telemetry')
const telemetry = await openTelemetry({ dir }, { logger: silentLogger })
const found = await telemetry.query<StoredTable>(
  `SELECT table, toFloat64(sum(rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
   WHERE active AND database = currentDatabase() AND table IN ('spans', 'vitals', 'navigations', 'prefetches', 'events')
   GROUP BY table ORDER BY table`,
)
console.log(JSON.stringify(found))
await telemetry.close()
