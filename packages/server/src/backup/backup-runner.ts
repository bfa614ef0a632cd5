/** Backups of the stores that this process has open, one at a time. */
import { type Clock, type Logger, SondeError } from '@sonde/base'
import type { Records, Telemetry } from '@sonde/stores'
import type { BackupTarget } from './backup-messages.ts'
import { notedRun } from './backup-runs.ts'
import { createBackup } from './create-backup.ts'
import type { BackupSummary, BackupProgress } from './manifest.ts'
import { openTarget } from './open-target.ts'
import { workDir } from './pin-snapshot.ts'
import { type Pruned, pruneBackups } from './prune-backups.ts'
import { startCopier } from './start-copier.ts'
import type { Verified } from './verify-backup.ts'
import type { WriteGate } from './write-gate.ts'

export type BackupRunnerOptions = {
  readonly records: Records
  /** Of the engine itself, not through the gate. */
  readonly telemetry: Pick<Telemetry, 'query' | 'command'>
  readonly gate: WriteGate
  readonly dataDir: string
  readonly secretFile: string | undefined
  readonly version: string
  readonly retentionDays: number
  /** Of the process that copies. */
  readonly entry: string
  readonly clock: Clock
  readonly logger: Logger
}

export type BackupRunner = {
  /** Throws `conflict` while one runs. Resolves when there is a backup, rejects with why there is none. */
  run(target: BackupTarget): Promise<BackupSummary>
  /** In a process of its own. Rejects only with what says nothing of the backup. */
  verify(
    target: BackupTarget,
    asked?: { readonly id?: string; readonly isQuick?: boolean },
  ): Promise<Verified>
  prune(target: BackupTarget, asked: Parameters<typeof pruneBackups>[1]): Promise<Pruned>
  /** The one that is made. */
  running(): RunningBackup | undefined
  /** Ends the one that runs. */
  stop(): Promise<void>
}

export type RunningBackup = {
  readonly target: string
  readonly startedMs: number
  /** Undefined: its moment has not come yet. */
  readonly progress: BackupProgress | undefined
}

export function createBackupRunner(options: BackupRunnerOptions): BackupRunner {
  const { records, clock, entry, dataDir, retentionDays } = options
  const stopping = new AbortController()
  let running: (RunningBackup & { readonly ended: Promise<unknown> }) | undefined
  return {
    run(target) {
      if (running)
        return Promise.reject(
          new SondeError('conflict', `a backup to ${running.target} runs already`, {
            operation: 'back up',
            hint: 'wait for its end',
          }),
        )
      const work = notedRun({ records, clock }, { kind: 'create', target: target.name }, () =>
        createBackup({
          ...options,
          target,
          signal: stopping.signal,
          onProgress(progress) {
            if (running) running = { ...running, progress }
          },
        }),
      ).finally(() => {
        running = undefined
      })
      running = {
        target: target.name,
        startedMs: clock.nowMs(),
        progress: undefined,
        ended: work.catch(() => undefined),
      }
      return work
    },
    verify: (target, { id, isQuick = false } = {}) =>
      notedRun({ records, clock }, { kind: 'verify', target: target.name }, async () => {
        const copier = startCopier('verify a backup', { entry, signal: stopping.signal })
        try {
          copier.send({ kind: 'verify', target, id, isQuick, tempDir: workDir(dataDir), retentionDays })
          return (await copier.heard('verified')).verified
        } finally {
          await copier.end()
        }
      }),
    prune: (target, asked) =>
      notedRun({ records, clock }, { kind: 'prune', target: target.name }, async () =>
        pruneBackups(await openTarget(target), asked),
      ),
    running: () =>
      running && { target: running.target, startedMs: running.startedMs, progress: running.progress },
    async stop() {
      stopping.abort()
      await running?.ended
    },
  }
}
