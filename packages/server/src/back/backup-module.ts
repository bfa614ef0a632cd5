/** The schedule of backups in the back process, and what of them is on `/metrics`. */
import type { Metrics } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { momentOf } from '../backup/backup-health.ts'
import { startBackupJob } from '../backup/backup-job.ts'
import { backupPlace } from '../backup/backup-place.ts'
import { type BackupRun, backupRuns } from '../backup/backup-runs.ts'
import { createBackupWork } from '../backup/backup-work.ts'
import { lastGood } from '../backup/due-work.ts'
import { isAllHere } from '../backup/open-target.ts'
import { createOperatorBackups } from '../backup/operator-backups.ts'
import { moduleOf } from '../modules.ts'
import type { BackParts, BackTools } from './back-parts.ts'

const module = moduleOf<BackParts, BackTools>()

export const BACKUP_PLAN = module({
  name: 'backupPlan',
  needs: ['engines', 'access'],
  uses: ['backups'],
  roles: ['pipeline', 'web'],
  start(
    { engines: { records }, access: { mailbox }, backups: runner },
    { config, clock, logger, bus, metrics, onStop },
  ) {
    const { publicUrl } = config
    const place = backupPlace(config, isAllHere(config.engines))
    const work = createBackupWork({ place, runner, records, clock })
    const operator = createOperatorBackups({ records, clock, logger, work })
    if (!runner) return operator
    observeBackups(metrics, { records })
    const failures = metrics.counter('sonde_backup_failures_total', 'Backups that failed since the start')
    const onFailures = (count: number): void => failures.inc(count)
    const job = startBackupJob({ records, clock, logger, bus, work, mailbox, publicUrl, onFailures })
    onStop(async () => {
      // A backup that runs is ended: it can be made again.
      await runner.stop()
      await job.stop()
    })
    return operator
  },
})

/** Not a number while there is no backup: an alert on the age is silent then, `sonde doctor` is not. */
function observeBackups(metrics: Metrics, { records }: { readonly records: Records }): void {
  const last = async (): Promise<BackupRun | undefined> =>
    lastGood(await backupRuns({ records }, { kind: 'create', limit: 100 }))
  const figure = async (name: 'tookMs' | 'bytes'): Promise<number> =>
    Number(((await last())?.detail as Record<string, unknown> | undefined)?.[name] ?? Number.NaN)
  metrics.observed(
    'sonde_backup_last_success_timestamp_seconds',
    'The moment that the last good backup is of',
    async () => {
      const good = await last()
      return good ? momentOf(good) / 1_000 : Number.NaN
    },
  )
  metrics.observed(
    'sonde_backup_last_duration_seconds',
    'How long the last good backup took',
    async () => (await figure('tookMs')) / 1_000,
  )
  metrics.observed('sonde_backup_last_bytes', 'What the last good backup is of, as it lay there', () =>
    figure('bytes'),
  )
}
