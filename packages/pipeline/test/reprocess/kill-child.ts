/** A back process in small: stores, pipeline and reprocessing on the folder named by the first argument, until it is killed. */
import { join } from 'node:path'
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { forgetLeases } from '@sonde/jobs'
import { openLogReader } from '@sonde/log'
import { openBlobs, openRecords, openTelemetry } from '@sonde/stores'
import { startPipeline, startReprocessing } from '../../src/index.ts'
import { reprocessWith } from './late-map.ts'

const dir = process.argv[2] ?? ''
const map = { 400: 'pay', 401: 'total', 402: 'ship' }
const { db: records, close } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger })
const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger })
await forgetLeases(records)
const blobs = openBlobs({ dir: join(dir, 'blobs') })
const log = await openLogReader({ dir: join(dir, 'log'), logger, pollMs: 5 })
const pipeline = await startPipeline({
  log,
  records,
  telemetry,
  blobs,
  clock,
  logger,
  workers: { threads: 0 },
  onCommit: () => void process.send?.('committed'),
})
const reprocessing = startReprocessing({
  records,
  telemetry,
  clock,
  logger,
  pipeline: { ...pipeline, reprocess: reprocessWith(() => map) },
  afterStep: (step) => void process.send?.(step),
})
process.send?.('ready')

process.once('SIGTERM', () => {
  void reprocessing.stop().then(async () => {
    await pipeline.stop()
    await log.close()
    await telemetry.close()
    await close()
    process.exit(0)
  })
})
