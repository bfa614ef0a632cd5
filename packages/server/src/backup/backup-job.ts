/** Makes, deletes and checks backups by the schedule, and tells operators when there is none that is young enough. */
import type { AccountMailbox } from '@sonde/access'
import { type Clock, errorKind, type Logger } from '@sonde/base'
import { type JobHost, type RunningJob, startJob } from '@sonde/jobs'
import type { Records } from '@sonde/stores'
import { alertBackups, isAlerted } from './backup-alert.ts'
import { isWell, judgeBackups } from './backup-health.ts'
import type { BackupWork } from './backup-work.ts'
import { dueWork } from './due-work.ts'
import { seeBackups } from './see-backups.ts'

export type BackupJobOptions = Omit<JobHost, 'tracer'> & {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly work: BackupWork
  readonly mailbox: AccountMailbox
  readonly publicUrl: string
  /** How many backups failed since the last look. */
  readonly onFailures?: (count: number) => void
  /** Tests shorten it. */
  readonly lookEveryMs?: number
}

const LOOK_EVERY_MS = 60_000
/** One that runs for so long may never end. */
const LONGEST_MS = 6 * 3_600_000

export function startBackupJob(options: BackupJobOptions): Pick<RunningJob, 'stop'> {
  // While a large backup is copied somebody has to look at its age.
  const jobs = [startWork(options), startAlert(options)]
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

async function look(options: BackupJobOptions) {
  const seen = await seeBackups(options, options.work.place)
  const due = options.work.place.kind === 'set' ? dueWork(seen.plan, seen.runs, seen.nowMs) : undefined
  return { seen, health: judgeBackups(seen), due }
}

function startWork(options: BackupJobOptions): RunningJob {
  const { work, logger, lookEveryMs = LOOK_EVERY_MS } = options
  return startJob(options, {
    name: 'backups',
    lookEveryMs,
    hasWork: async () => (await look(options)).due !== undefined,
    async run(signal) {
      for (;;) {
        const { due } = await look(options)
        if (!due || signal.aborted) return 'done'
        try {
          await work.run(due)
        } catch (error) {
          // It is noted with its run, and tried again later. A conflict: somebody else works there.
          if (errorKind(error) !== 'conflict' && !signal.aborted)
            logger.error({ err: error, work: due.kind }, 'this failed with backups and is tried again')
          return 'done'
        }
      }
    },
  })
}

function startAlert(options: BackupJobOptions): RunningJob {
  const { clock, work, onFailures, lookEveryMs = LOOK_EVERY_MS } = options
  let countedMs = clock.nowMs()
  const toTell = async () => {
    const { seen, health, due } = await look(options)
    const failed = seen.runs.filter(
      ({ kind, trouble, finishedMs = 0 }) => kind === 'create' && trouble !== '' && finishedMs > countedMs,
    )
    countedMs = Math.max(countedMs, ...failed.map(({ finishedMs = 0 }) => finishedMs))
    if (failed.length > 0) onFailures?.(failed.length)
    // After a day without power the first backup is made at once: nobody needs to hear of that.
    const startedMs = work.running()?.startedMs ?? seen.nowMs
    const isComing = due?.kind === 'create' && seen.nowMs - startedMs < LONGEST_MS
    return health.kind === 'late' && isComing ? undefined : health
  }
  return startJob(options, {
    name: 'backup alert',
    lookEveryMs,
    async hasWork() {
      const health = await toTell()
      return health !== undefined && (!isWell(health) || (await isAlerted(options)))
    },
    async run() {
      const health = await toTell()
      if (health) await alertBackups(options, health)
      return 'done'
    },
  })
}
