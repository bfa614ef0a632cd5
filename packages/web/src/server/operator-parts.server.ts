/** What the operator's page works with; built by the composition root, which alone knows folders and processes. */
import type { Grant } from '@sonde/access'
import type { BackupPlanInput, DeadLetterChange, DeadLetterReport } from '@sonde/commands'
import type { OperatorBackups } from './operator-backups.ts'
import type {
  DiskUsage,
  OperatorDeadContent,
  OperatorStatus,
  OperatorStatusInput,
} from './operator-status.ts'

type OperatorGrant = Grant<'operate', 'operator'>

export type OperatorParts = {
  readonly status: (grant: OperatorGrant, input?: OperatorStatusInput) => Promise<OperatorStatus>
  readonly disk: (grant: OperatorGrant) => Promise<DiskUsage>
  /** Undefined when there is none. Asks for no permission. */
  readonly lookAtDead: (id: number) => Promise<OperatorDeadContent | undefined>
  /** Gives dead letters back to the log or discards them. */
  readonly changeDead: (
    grant: OperatorGrant,
    change: DeadLetterChange,
    ids: readonly number[] | 'all',
  ) => Promise<DeadLetterReport>
  /** Undefined: this start has none. */
  readonly backups: BackupParts | undefined
}

type BackupWorkAsked =
  | { readonly kind: 'create' | 'prune' }
  | { readonly kind: 'verify'; readonly id: string }

export type BackupParts = {
  readonly look: (grant: OperatorGrant) => Promise<OperatorBackups>
  /** Resolves once it runs. Throws `SondeError` (`conflict`) when something runs already or there is no place. */
  readonly start: (grant: OperatorGrant, work: BackupWorkAsked) => Promise<void>
  /** Throws `InvalidInput`. */
  readonly save: (grant: OperatorGrant, input: Partial<BackupPlanInput>) => Promise<void>
}
