/** A back process in small: its share of the partitions of a log on NATS, with records and telemetry that others share. */
import { join } from 'node:path'
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { openNatsReaders } from '@sonde/log/nats'
import { startSharedPipeline } from '@sonde/pipeline'
import { openBlobs, openRecords, openTelemetry, type RecordsPlace } from '@sonde/stores'

export type ChildOptions = {
  readonly dir: string
  readonly place: RecordsPlace
  readonly nats: { readonly url: string; readonly prefix: string; readonly partitions: number }
  readonly clickhouse: string
}

const { dir, place, nats, clickhouse } = JSON.parse(process.argv[2] ?? '') as ChildOptions
const { db: records, close } = await openRecords(place, { logger })
const telemetry = await openTelemetry({ url: clickhouse }, { logger })
const blobs = openBlobs({ dir: join(dir, 'blobs') })
const logs = await openNatsReaders({ ...nats, maxBytes: 64 * 2 ** 20, logger })
const pipeline = startSharedPipeline({
  logs,
  records,
  telemetry,
  blobs,
  clock,
  logger,
  workers: { threads: 1 },
})
const tell = (): void => {
  if (process.connected) process.send?.(pipeline.state().partitions.map(({ partition }) => partition))
}
const telling = setInterval(tell, 20)

process.once('SIGTERM', () => {
  void pipeline.stop().then(async () => {
    clearInterval(telling)
    await logs.close()
    await telemetry.close()
    await close()
    process.exit(0)
  })
})
