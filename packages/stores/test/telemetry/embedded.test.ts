import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { silentLogger } from '@sonde/base'
import { testTelemetry } from '../../src/telemetry/conformance.ts'
import { openTelemetry } from '../../src/telemetry/open-telemetry.ts'
import { testSpanTables } from '../../src/telemetry/span-conformance.ts'
import type { Telemetry } from '../../src/telemetry/telemetry.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('the embedded engine', () => {
  const dir = join(temporaryFolder(), 'telemetry')
  let telemetry: Telemetry
  before(async () => {
    telemetry = await openTelemetry({ dir }, { logger: silentLogger })
  })
  after(() => telemetry.close())
  testTelemetry('embedded', () => telemetry)
  testSpanTables('embedded', () => telemetry)
})
