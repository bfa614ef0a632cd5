/** The job that erases persons, and what it asks of the log. */
import type { Bus, Clock, Logger } from '@sonde/base'
import { type ErasureLog, startErasures } from '@sonde/commands'
import type { RunningJob } from '@sonde/jobs'
import type { LogReaders } from '@sonde/log'
import { type Blobs, FIRST_PARTITION, type LogPositions, type Records, type Telemetry } from '@sonde/stores'
import { rollThroughFront } from '../internal/append-through-front.ts'

type Needs = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  readonly clock: Clock
  readonly logger: Logger
  readonly bus: Bus
  readonly retentionDays: number
}

export const startErasing = (needs: Needs, log: LogReaders): RunningJob =>
  startErasures({ ...needs, log: erasureLog(log) })

function erasureLog(log: LogReaders): ErasureLog {
  const { keptFrom } = log
  return {
    async ends() {
      const ends = log.readers.map(async ({ partition = FIRST_PARTITION }) => [
        partition,
        await log.end(partition),
      ])
      return Object.fromEntries(await Promise.all(ends)) as LogPositions
    },
    async hasWaiting(partition) {
      const reader = log.readers.find((each) => (each.partition ?? FIRST_PARTITION) === partition)
      return reader === undefined || (await reader.depth()).bytes > 0
    },
    ...(keptFrom && { segments: { roll: rollThroughFront(process), keptFrom } }),
  }
}
