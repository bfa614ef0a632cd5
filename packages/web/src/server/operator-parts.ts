/** What the operator's page works with; built by the composition root, which alone knows folders and processes. */
import type { Viewer } from '@sonde/access'
import type { OperatorStatus, OperatorStatusInput } from '@sonde/queries'

export type ReplayResult = {
  readonly replayed: readonly number[]
  readonly failed: readonly { readonly id: number; readonly message: string }[]
}

export type OperatorParts = {
  /** Throws `SondeError` (`forbidden`) unless the viewer is an operator. */
  readonly status: (viewer: Viewer | undefined, input?: OperatorStatusInput) => Promise<OperatorStatus>
  /** Gives dead letters back to the log; an empty list: all that wait. Asks for no permission. */
  readonly replay: (ids: readonly number[]) => Promise<ReplayResult>
}
