import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLogger, SondeError } from '@sonde/base'
import { testTelemetry } from '../../src/telemetry/conformance.ts'
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts'
import { testSpanTables } from '../../src/telemetry/span-conformance.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { startClickHouse, type TestServer, whyNoClickHouse } from './start-clickhouse.ts'

const skip = whyNoClickHouse() ?? false

describe('a ClickHouse server', { skip }, () => {
  let server: TestServer
  let telemetry: Telemetry
  before(async () => {
    server = await startClickHouse()
    telemetry = await openTelemetry({ url: server.url }, { logger: silentLogger })
  })
  after(async () => {
    await telemetry?.close()
    await server?.stop()
  })
  testTelemetry('server', () => telemetry)
  testSpanTables('server', () => telemetry)
})

test('a server that does not answer is unavailable, and the setting that names it is in the hint', async () => {
  await assert.rejects(
    openTelemetry({ url: 'http://127.0.0.1:1/default' }, { logger: silentLogger }),
    (error) =>
      error instanceof SondeError &&
      error.kind === 'unavailable' &&
      error.hint?.includes('SONDE_CLICKHOUSE_URL') === true,
  )
})
