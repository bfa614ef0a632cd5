import type { Access } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'

/** What commands work with. One object, built by the composition root and handed to every command. */
export type CommandDeps = {
  readonly records: Records
  /** Each command opens its scope itself: it cannot be called without its permission. */
  readonly access: Access
  readonly clock: Clock
  /** Told when a project was deleted, so that its events go soon: `startDeletions().wake`. */
  readonly onDeletion?: () => void
}
