/** What the process that copies and the one that has the stores open say to each other. */
import type { BlobsPlace } from '@sonde/stores'
import type { ErrorAnswer } from '../internal/error-text.ts'
import type { BackupProgress, BackupSummary } from './manifest.ts'
import type { Verified } from './verify-backup.ts'

/** Where backups lie, and with which key. */
export type BackupTarget = {
  readonly place: BlobsPlace
  /** For people. */
  readonly name: string
  readonly keyFile: string | undefined
}

export type CreateJob = {
  readonly kind: 'create'
  readonly id: string
  readonly target: BackupTarget
  readonly dataDir: string
  /** Undefined: it lies outside of the data folder, where backups do not take it from. */
  readonly secretFile: string | undefined
  readonly version: string
}

export type VerifyJob = {
  readonly kind: 'verify'
  readonly target: BackupTarget
  /** Undefined: the last. */
  readonly id: string | undefined
  readonly isQuick: boolean
  readonly tempDir: string
  readonly retentionDays: number
}

export type ToCopier =
  | CreateJob
  | VerifyJob
  /** Nothing is written to telemetry until `pinned` is answered. */
  | { readonly kind: 'pin' }
  | { readonly kind: 'copy'; readonly pausedMs: number; readonly rows: FrozenRows }

export type FromCopier =
  | { readonly kind: 'ready' }
  /** The moment is held: what is written from now on is not in the backup. */
  | { readonly kind: 'pinned' }
  /** No blob of it needs to stay where it is. */
  | { readonly kind: 'linked' }
  | { readonly kind: 'progress'; readonly progress: BackupProgress }
  | { readonly kind: 'done'; readonly summary: BackupSummary }
  | { readonly kind: 'verified'; readonly verified: Verified }
  | { readonly kind: 'failed'; readonly error: ErrorAnswer }

/** By table, as the engine says while it freezes; without tables in which rows were merged meanwhile. */
export type FrozenRows = Readonly<Record<string, number>>

/** Below `shadow` of the engine's folder, where it keeps what it froze. It writes other signs than these as `%2D`. */
export const frozenName = (id: string): string => `${FROZEN_PREFIX}${id.replaceAll('-', '_')}`
export const FROZEN_PREFIX = 'sonde_backup_'
