/** A back process in small: stores and pipeline where the first argument says, until it is killed. */
import { join } from 'node:path'
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { openBlobs, openRecords, openTelemetry, type RecordsPlace, type TelemetryPlace } from '@sonde/stores'
import { type LogPlace, openReader } from '../../../../tests/harness/test-log.ts'
import { startPipeline } from '../../src/index.ts'

export type KillPlaces = {
  readonly dir: string
  readonly records: RecordsPlace
  readonly telemetry: TelemetryPlace
  readonly log: LogPlace
}

const places = JSON.parse(process.argv[2] ?? '') as KillPlaces
const { db: records, close } = await openRecords(places.records, { logger })
const telemetry = await openTelemetry(places.telemetry, { logger })
const blobs = openBlobs({ dir: join(places.dir, 'blobs') })
const log = await openReader(places.log)
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
