/** What was acknowledged and waits in the log is processed before anything is copied: positions of the log stand in all stores. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, SondeError, systemClock } from '@sonde/base'
import type { LogReaders } from '@sonde/log'
import type { PipelineOptions } from '@sonde/pipeline'
import { startProcessing } from '../back/start-processing.ts'
import type { Config } from '../config/config.ts'
import type { ProgramFiles } from '../program-files.ts'
import type { Progress } from './progress.ts'

type EmptyLog = {
  readonly engines: Pick<PipelineOptions, 'records' | 'telemetry' | 'blobs'>
  readonly log: LogReaders
  readonly config: Config
  readonly files: ProgramFiles
  readonly logger: Logger
  readonly progress: Progress
}

const LOOK_EVERY_MS = 50
// Longer than a server that restarts is away, and than the largest batch takes.
const STUCK_MS = 60_000
const OPERATION = 'process what waits in the log'

/** Throws `unavailable` when it does not get less for a minute. */
export async function emptyLog({ engines, log, progress, ...needs }: EmptyLog): Promise<void> {
  progress.begin('log')
  const pipeline = await startProcessing(engines, log, { ...needs, clock: systemClock })
  try {
    let [least, movedMs, seen] = [Infinity, performance.now(), 0]
    for (;;) {
      const depths = await Promise.all(log.readers.map((reader) => reader.depth()))
      const waiting = depths.reduce((sum, { bytes }) => sum + bytes, 0)
      const { records, trouble } = pipeline.state()
      if (records > seen) progress.add({ rows: records - seen })
      seen = records
      if (waiting === 0) break
      if (waiting < least) [least, movedMs] = [waiting, performance.now()]
      if (performance.now() - movedMs > STUCK_MS)
        throw new SondeError(
          'unavailable',
          `${OPERATION}: ${waiting} bytes stay: ${trouble?.message ?? 'nobody reads them'}`,
          {
            operation: OPERATION,
            hint: 'start this Sonde as it was, and see `sonde doctor`; move when the log is empty',
          },
        )
      await sleep(LOOK_EVERY_MS)
    }
  } finally {
    await pipeline.stop()
  }
  const [open] = await engines.records
    .selectFrom('pipeline_state')
    .select('name')
    .where('inflight_from', 'is not', null)
    .execute()
  if (open) throw new Error('a batch of the pipeline is not finished, though the log is empty')
  progress.end()
}
