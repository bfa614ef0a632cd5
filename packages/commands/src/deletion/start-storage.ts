/** Measures what is stored, once an hour: docs/operate/retention.md. */
import type { Bus, Logger } from '@sonde/base'
import { type RunningJob, startJob } from '@sonde/jobs'
import { isMeasureDue, type MeasureOptions, measureStorage } from './measure-storage.ts'

export type StorageOptions = MeasureOptions & { readonly logger: Logger; readonly bus?: Bus }

const LOOK_EVERY_MS = 60_000

export function startStorage(options: StorageOptions): RunningJob {
  return startJob(options, {
    name: 'storage',
    lookEveryMs: LOOK_EVERY_MS,
    hasWork: () => isMeasureDue(options),
    async run() {
      await measureStorage(options)
      return 'done'
    },
  })
}
