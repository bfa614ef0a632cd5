import type { Access } from '@sonde/access'
import type { TrackerDeps } from '@sonde/alerts'
import type { Clock } from '@sonde/base'
import type { Blobs, Records } from '@sonde/stores'
import type { Uploads } from './artifacts/start-uploads.ts'
import type { ModelDeps } from './model/call-model.ts'
import type { IssueMoves } from './moves/issue-moves.ts'

/** What commands work with. One object, built by the composition root and handed to every command. */
export type CommandDeps = {
  readonly records: Records
  /** Passwords and accounts. A command takes its permission as a grant. */
  readonly access: Access
  readonly clock: Clock
  /** Told when a project or an attachment was deleted, so that what is left goes soon: `startDeletions().wake`. */
  readonly onDeletion?: () => void
  /** Told when a person read something of the inbox, so that the number in other windows follows. */
  readonly onInbox?: (userId: string) => void
  /** Where uploaded source maps lie. */
  readonly blobs?: Blobs
  /** Puts uploads together; without it nothing can be uploaded. */
  readonly uploads?: Uploads
  /** Told when uploaded files can be used, so that what they make readable is reprocessed soon. */
  readonly onArtifacts?: () => void
  /** Which events belong to which issue; without it issues are neither merged nor deleted. */
  readonly issueMoves?: IssueMoves
  /** Told when events are to follow to another issue, or to go: `startMoves().wake`. */
  readonly onMoves?: () => void
  /** Told when a person is to be erased: `startErasures().wake`. */
  readonly onErasure?: () => void
  /** An export was asked for, called off or scheduled. */
  readonly onExport?: () => void
  /** Whether this machine says where exports go: else only its command line asks for one. */
  readonly hasExportPlace?: boolean
  /** Told when owners of open issues are to be found again: `startOwners().wake`. */
  readonly onOwnership?: () => void
  /** Requests to issue trackers; without it none is asked. */
  readonly trackers?: TrackerDeps
  /** Requests to the language model that an organization set up; without it none is asked. */
  readonly models?: ModelDeps
}
