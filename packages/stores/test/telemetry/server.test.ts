import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLogger, SondeError } from '@sonde/base'
import {
  startClickHouse,
  type TestServers,
  whyNoClickHouse,
} from '../../../../tests/harness/servers/clickhouse.ts'
import { testTelemetry } from '../../src/telemetry/conformance.ts'
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts'
import { localTable } from '../../src/telemetry/server/cluster-statements.ts'
import { testSpanTables } from '../../src/telemetry/span-conformance.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'

const skip = whyNoClickHouse() ?? false

for (const [name, shards] of [
  ['a ClickHouse server', 1],
  ['two shards of a cluster', 2],
] as const)
  describe(name, { skip }, () => {
    let servers: TestServers
    let telemetry: Telemetry
    before(async () => {
      servers = await startClickHouse({ shards })
      telemetry = await openTelemetry(await servers.place('sonde'), { logger: silentLogger })
    })
    after(async () => {
      await telemetry?.close()
      await servers?.stop()
    })
    testTelemetry(name, () => telemetry)
    testSpanTables(
      name,
      () => telemetry,
      (table) => (shards > 1 ? localTable(table) : table),
    )
  })

test('a server that does not answer is unavailable, and the setting that names it is in the hint', async () => {
  await assert.rejects(
    openTelemetry({ url: 'http://127.0.0.1:1/default' }, { logger: silentLogger, waitMs: 0 }),
    (error) =>
      error instanceof SondeError &&
      error.kind === 'unavailable' &&
      error.hint?.includes('SONDE_CLICKHOUSE_URL') === true,
  )
})
