/** A back process in small: stores and pipeline on the folder named by the first argument, until it is killed. */
import { join } from 'node:path'
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { openLogReader } from '@sonde/log'
import { openBlobs, openRecords, openTelemetry } from '@sonde/stores'
import { startPipeline } from '../../src/index.ts'

const dir = process.argv[2] ?? ''
const { db: records, close } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger })
const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger })
const blobs = openBlobs({ dir: join(dir, 'blobs') })
const log = await openLogReader({ dir: join(dir, 'log'), logger, pollMs: 5 })
const workers = { threads: 1 }
const tell = (): void => void process.send?.(pipeline.state().partitions[0]?.position)
const onCommit = tell
const pipeline = await startPipeline({ log, records, telemetry, blobs, clock, logger, workers, onCommit })
tell()

process.once('SIGTERM', () => {
  void pipeline.stop().then(async () => {
    await log.close()
    await telemetry.close()
    await close()
    process.exit(0)
  })
})
