/** What the operator's page works with; built by the composition root, which alone knows folders and processes. */
import type { Viewer } from '@sonde/access'
import type { DeadLetterChange, DeadLetterReport } from '@sonde/commands'
import type { OperatorDeadContent, OperatorStatus, OperatorStatusInput } from '@sonde/queries'

export type OperatorParts = {
  /** Throws `SondeError` (`forbidden`) unless the viewer is an operator. */
  readonly status: (viewer: Viewer | undefined, input?: OperatorStatusInput) => Promise<OperatorStatus>
  /** Undefined when there is none. Asks for no permission. */
  readonly lookAtDead: (id: number) => Promise<OperatorDeadContent | undefined>
  /** Gives dead letters back to the log or discards them. Throws `SondeError` (`forbidden`) as `status` does. */
  readonly changeDead: (
    viewer: Viewer,
    change: DeadLetterChange,
    ids: readonly number[] | 'all',
  ) => Promise<DeadLetterReport>
}
