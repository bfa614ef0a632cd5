/** The line of the doctor about backups. */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { backupsPart, judgeBackups } from '../backup/backup-health.ts'
import { backupPlace } from '../backup/backup-place.ts'
import { isAllHere } from '../backup/open-target.ts'
import { seeBackups } from '../backup/see-backups.ts'
import type { Config } from '../config/config.ts'
import type { PartReport } from './report.ts'

/** Undefined where what Sonde keeps lies on servers, which have backups of their own. */
export function backupsLine(
  config: Pick<Config, 'backup' | 'engines'>,
  needs: { readonly records: Records; readonly clock: Clock },
): (() => Promise<PartReport>) | undefined {
  const place = backupPlace(config, isAllHere(config.engines))
  if (place.kind === 'servers') return undefined
  return async () => backupsPart(judgeBackups(await seeBackups(needs, place)))
}
