/** Measures what is stored and takes away what rules of projects do not keep, once an hour: docs/operate/retention.md. */
import type { Bus } from '@sonde/base'
import { type RunningJob, startJob } from '@sonde/jobs'
import { applyCuts, retentionCuts, type RetentionOptions, sayCuts } from './apply-retention.ts'
import { isMeasureDue, type MeasureOptions, measureStorage } from './measure-storage.ts'

export type StorageOptions = MeasureOptions & RetentionOptions & { readonly bus?: Bus }

const LOOK_EVERY_MS = 60_000
// A deletion takes from milliseconds to minutes; each look costs two small queries a table.
const STEP_EVERY_MS = 1_000

export function startStorage(options: StorageOptions): RunningJob {
  let sweeping = false
  return startJob(options, {
    name: 'storage',
    lookEveryMs: LOOK_EVERY_MS,
    hasWork: () => isMeasureDue(options),
    async run(signal) {
      if (!sweeping) await measureStorage(options)
      const cuts = await retentionCuts(options)
      sweeping = cuts.length > 0 && (await applyCuts(options, cuts, signal)) === 'waits'
      if (sweeping) return { againInMs: STEP_EVERY_MS }
      if (cuts.length > 0) {
        await measureStorage(options, true)
        sayCuts(options, cuts)
        // What they named is garbage now; the deletions delete it.
        options.bus?.publish('job.wake', { job: 'deletions' })
      }
      return 'done'
    },
  })
}
