/** One thing at a time with the backups in the place of the settings: for the schedule and for people. */
import { type Clock, SondeError } from '@sonde/base'
import { readBackupPlan } from '@sonde/commands'
import type { Records } from '@sonde/stores'
import type { BackupPlace } from './backup-place.ts'
import type { BackupRunner } from './backup-runner.ts'
import type { DueWork } from './due-work.ts'
import { openTarget } from './open-target.ts'
import { unkeptBackups } from './unkept-backups.ts'

export type BackupWork = {
  readonly place: BackupPlace
  /** Throws `conflict` at once while something runs or there is no place. Otherwise rejects with what went wrong. */
  run(work: DueWork): Promise<void>
  running(): RunningWork | undefined
}

export type RunningWork = {
  readonly kind: DueWork['kind']
  readonly startedMs: number
  readonly bytes: number | undefined
  readonly ofBytes: number | undefined
}

type Needs = {
  readonly place: BackupPlace
  /** Undefined where an engine is on a server. */
  readonly runner: Pick<BackupRunner, 'run' | 'verify' | 'prune' | 'running'> | undefined
  readonly records: Records
  readonly clock: Clock
}

export function createBackupWork({ place, runner, records, clock }: Needs): BackupWork {
  let current: Omit<RunningWork, 'bytes' | 'ofBytes'> | undefined
  /** One that the command line asked for is none of ours. */
  const running = (): RunningWork | undefined => {
    const made = runner?.running()
    const progress = made?.progress
    const work = made ? { kind: 'create' as const, startedMs: made.startedMs } : current
    return work && { ...work, bytes: progress?.bytes, ofBytes: progress?.ofBytes }
  }
  return {
    place,
    running,
    async run(work) {
      if (!runner || place.kind !== 'set') throw refused('no place for backups is set')
      const busy = running()
      if (busy) throw refused(BUSY[busy.kind])
      current = { kind: work.kind, startedMs: clock.nowMs() }
      try {
        const { target } = place
        if (work.kind === 'create') await runner.run(target)
        else if (work.kind === 'verify') await runner.verify(target, { id: work.id })
        else {
          const [plan, listed] = await Promise.all([
            readBackupPlan(records),
            openTarget(target).then((repository) => repository.list()),
          ])
          const summaries = listed.flatMap(({ summary }) => summary ?? [])
          await runner.prune(target, { remove: unkeptBackups(plan, summaries) })
        }
      } finally {
        current = undefined
      }
    },
  }
}

const BUSY = {
  create: 'a backup is made just now',
  verify: 'a backup is verified just now',
  prune: 'backups are deleted just now',
} as const

const refused = (message: string): SondeError =>
  new SondeError('conflict', message, { operation: 'work with backups', hint: 'wait for its end' })
