/** What the operator's page shows; built by the composition root, which alone knows folders and processes. */

export type OperatorStatus = {
  readonly version: string
  /** The worst state of any part. */
  readonly state: PartState
  readonly parts: readonly {
    readonly name: string
    readonly state: PartState
    /** One sentence; where the state is not `ok`, with the next step. */
    readonly detail: string
  }[]
  /** Of the process that answers: Unix milliseconds and bytes. */
  readonly startedMs: number
  readonly residentBytes: number
  readonly log: { readonly depthBytes: number; readonly keptBytes: number; readonly oldestAgeMs: number }
  readonly disk: {
    /** Of the file system that holds the data; undefined where the system does not say. */
    readonly freeBytes: number | undefined
    readonly totalBytes: number | undefined
    readonly stores: readonly { readonly name: string; readonly holds: string; readonly bytes: number }[]
  }
  /** How many wait. */
  readonly deadCount: number
  /** Those that wait, newest first, at most 100. */
  readonly dead: readonly DeadItem[]
}

export type PartState = 'ok' | 'degraded' | 'down' | 'stopped'

export type DeadItem = {
  readonly id: number
  readonly projectId: number | undefined
  readonly itemType: string
  readonly reason: string
  readonly detail: string
  readonly createdMs: number
}

export type ReplayResult = {
  readonly replayed: readonly number[]
  readonly failed: readonly { readonly id: number; readonly message: string }[]
}

export type OperatorParts = {
  readonly status: () => Promise<OperatorStatus>
  /** An empty list: all that wait. */
  readonly replay: (ids: readonly number[]) => Promise<ReplayResult>
}
