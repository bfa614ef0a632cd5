/**
 * The nodes: starts of Sonde that share these records. Each says every few seconds that it runs, and how it is. Records in a
 * file have one start, which needs no row.
 */
import type { ColumnType } from 'kysely'

export type NodeState = 'starting' | 'ready' | 'not ready' | 'draining'

export type NodeTables = { node: NodeTable }

export type NodeTable = {
  /** `host:port`: what a restart leaves as it was. */
  name: ColumnType<string, string, never>
  /** Of one start; no other ever has the same. */
  run: string
  host: string
  /** Null: this start has no app process. */
  back_pid: number | null
  version: string
  /** JSON array. */
  roles: string
  state: NodeState
  started_ms: number
  seen_ms: number
  /** JSON; whoever writes and reads it knows its shape. */
  figures: string
}

export type NodeRow = {
  readonly [column in keyof NodeTable]: column extends 'name' ? string : NodeTable[column]
}

export const NODES: readonly string[] = [
  `CREATE TABLE node (name text NOT NULL PRIMARY KEY, run text NOT NULL, host text NOT NULL, back_pid integer,
    version text NOT NULL, roles text NOT NULL, state text NOT NULL, started_ms integer NOT NULL,
    seen_ms integer NOT NULL, figures text NOT NULL)`,
]

/** Apart from the other records, as the keys are: a front says how it is without a query engine and a schema. */
export type NodeRegistry = {
  /** Takes the place of what a node of this name said before, and forgets nodes that were last seen before `keptFromMs`. */
  announce(node: NodeRow, keptFromMs: number): Promise<void>
  /** Idempotent. Leaves a row that another start has written since. */
  leave(node: Pick<NodeRow, 'name' | 'run'>): Promise<void>
  close(): Promise<void>
}
