/** Where the schedule writes to: what the settings of the machine say, which nobody changes from a browser. */
import { SondeError } from '@sonde/base'
import type { Config } from '../config/config.ts'
import type { BackupTarget } from './backup-messages.ts'
import { readTarget } from './open-target.ts'

export type BackupPlace =
  | { readonly kind: 'set'; readonly target: BackupTarget }
  | { readonly kind: 'unset' }
  /** It is set, and cannot be used. */
  | { readonly kind: 'refused'; readonly trouble: string }
  /** What this Sonde keeps lies on servers, which have backups of their own. */
  | { readonly kind: 'servers' }

export function backupPlace(config: Pick<Config, 'backup'>, isHere: boolean): BackupPlace {
  if (!isHere) return { kind: 'servers' }
  if (config.backup.to === undefined) return { kind: 'unset' }
  try {
    return { kind: 'set', target: readTarget({}, config) }
  } catch (error) {
    return { kind: 'refused', trouble: troubleOf(error) }
  }
}

/** With the next step, where one is known. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof SondeError)) return error instanceof Error ? error.message : String(error)
  return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`
}
