/** What the operator's page "Backups" shows, and so what `@sonde/server` gathers for it. Times are Unix milliseconds. */
import type { BackupPlan } from '@sonde/commands'

export type OperatorBackups = {
  readonly atMs: number
  readonly plan: BackupPlan
  readonly place: OperatorBackupPlace
  readonly isWell: boolean
  /** One sentence; where something is wrong, with the next step. */
  readonly detail: string
  /** The last that was made and is there. */
  readonly last: OperatorBackup | undefined
  readonly nextMs: number | undefined
  readonly warnAfterMs: number | undefined
  readonly running: OperatorBackupWork | undefined
  /** Newest first. */
  readonly backups: readonly OperatorBackup[]
  /** Why they could not be listed; empty: they are. */
  readonly trouble: string
  /** What the rules would delete now. */
  readonly unkept: { readonly ids: readonly string[]; readonly bytes: number }
  /** Newest first. */
  readonly runs: readonly OperatorBackupRun[]
}

export type OperatorBackupPlace =
  | { readonly kind: 'set'; readonly name: string; readonly isEncrypted: boolean }
  | { readonly kind: 'unset' }
  | { readonly kind: 'refused'; readonly trouble: string }
  /** What is stored lies on servers, which have backups of their own. */
  | { readonly kind: 'servers' }

export type OperatorBackup = {
  readonly id: string
  /** What follows is 0 then: it is damaged, or of a later version. */
  readonly isReadable: boolean
  readonly createdMs: number
  readonly version: string
  readonly bytes: number
  readonly storedBytes: number
  readonly newBytes: number
  /** Of all tables. */
  readonly rows: number
  readonly tookMs: number
  readonly pausedMs: number
  /** Public keys; empty: it is not encrypted. */
  readonly recipients: readonly string[]
  readonly verified: { readonly atMs: number; readonly isGood: boolean } | undefined
}

export type OperatorBackupWork = {
  readonly kind: 'create' | 'verify' | 'prune'
  readonly startedMs: number
  /** Of one that is made; undefined: not known yet. */
  readonly bytes: number | undefined
  readonly ofBytes: number | undefined
}

export type OperatorBackupRun = {
  readonly id: number
  readonly kind: OperatorBackupWork['kind']
  readonly startedMs: number
  /** Undefined: it runs. */
  readonly finishedMs: number | undefined
  /** Empty: it did not fail. */
  readonly trouble: string
  /** What it did, in words. */
  readonly result: string
}
