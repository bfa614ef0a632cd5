/** What the records say of backups. */
import type { Clock } from '@sonde/base'
import { readBackupPlan } from '@sonde/commands'
import type { Records } from '@sonde/stores'
import type { BackupsSeen } from './backup-health.ts'
import type { BackupPlace } from './backup-place.ts'
import { backupRuns } from './backup-runs.ts'

/** As many as are kept. */
const ALL_RUNS = 300

export async function seeBackups(
  { records, clock }: { readonly records: Records; readonly clock: Clock },
  place: BackupPlace,
): Promise<BackupsSeen> {
  const [plan, all] = await Promise.all([
    readBackupPlan(records),
    backupRuns({ records }, { limit: ALL_RUNS }),
  ])
  const runs = place.kind === 'set' ? all.filter(({ target }) => target === place.target.name) : all
  return { plan, place, runs, nowMs: clock.nowMs() }
}
