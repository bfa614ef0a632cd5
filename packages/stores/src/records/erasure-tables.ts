/** What was asked for of the persons in the data. Times are Unix milliseconds. docs/decisions/0080-erasing-a-person.md */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ErasureTables = { erasure: ErasureTable }

/** In their order: what an erasure does next. */
const ERASURE_STATES = ['waits', 'deletes', 'purges', 'done'] as const
export type ErasureState = (typeof ERASURE_STATES)[number]

export type ErasureTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** JSON: ids of projects. */
  projects: Fixed<string>
  /** For people: `acme/shop`, `acme`. */
  scope: Fixed<string>
  /** JSON `Person`; empty once it is done. */
  person: string
  /** `personHash`: what is left of who it was. */
  person_hash: Fixed<string>
  /** `actorOf` who asked. */
  actor: Fixed<string>
  state: Generated<ErasureState>
  requested_ms: Fixed<number>
  finished_ms: number | null
  /** JSON: ends of the log's partitions as it began; the pipeline stores what came before that first. Empty: not begun. */
  after_positions: Generated<string>
  /** Of an embedded log: from here on no byte was written before the erasure. Null: not closed yet. */
  log_from: number | null
  /** JSON: kind → how many were erased. */
  counts: Generated<string>
  /** Why it goes on later, for people; empty: no trouble. */
  trouble: Generated<string>
}

export const ERASURES: readonly string[] = [
  `CREATE TABLE erasure (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, projects text NOT NULL, scope text NOT NULL,
    person text NOT NULL, person_hash text NOT NULL, actor text NOT NULL, state text NOT NULL DEFAULT 'waits',
    requested_ms integer NOT NULL, finished_ms integer, after_positions text NOT NULL DEFAULT '', log_from integer,
    counts text NOT NULL DEFAULT '{}', trouble text NOT NULL DEFAULT '')`,
  'CREATE INDEX erasure_by_org ON erasure (org_id, id)',
  'CREATE INDEX erasure_open ON erasure (id) WHERE finished_ms IS NULL',
]
