/** The command line asks for the schedule of backups, and sets it. */
import { openInstallation, operatorViewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import { type BackupPlan, type BackupPlanInput, saveBackupPlan } from '@sonde/commands'
import type { Records } from '@sonde/stores'
import { judgeBackups } from '../backup/backup-health.ts'
import { backupPlace } from '../backup/backup-place.ts'
import { nextDueMs } from '../backup/backup-times.ts'
import { isAllHere } from '../backup/open-target.ts'
import { seeBackups } from '../backup/see-backups.ts'
import type { Config } from '../config/config.ts'
import type { InternalRoute } from './internal-routes.ts'

export const BACKUP_PLAN_PATH = '/-/backup/plan'

export type BackupPlanAnswer = {
  readonly plan: BackupPlan
  readonly nextMs: number | undefined
  readonly state: string
  readonly detail: string
}

export function backupPlanRoutes(
  needs: { readonly records: Records; readonly clock: Clock },
  config: Pick<Config, 'backup' | 'engines'>,
): readonly InternalRoute[] {
  const place = backupPlace(config, isAllHere(config.engines))
  const contentType = 'application/json'
  const answer = async (): Promise<string> => {
    const seen = await seeBackups(needs, place)
    const { kind: state, detail } = judgeBackups(seen)
    const said: BackupPlanAnswer = {
      plan: seen.plan,
      nextMs: nextDueMs(seen.plan, seen.nowMs),
      state,
      detail,
    }
    return JSON.stringify(said)
  }
  return [
    { method: 'GET', path: BACKUP_PLAN_PATH, contentType, answer },
    {
      method: 'POST',
      path: BACKUP_PLAN_PATH,
      contentType,
      async answer(body) {
        // Only whoever runs Sonde can open the socket.
        const grant = openInstallation(operatorViewer)
        await saveBackupPlan(needs, grant, JSON.parse(body) as Partial<BackupPlanInput>)
        return answer()
      },
    },
  ]
}
