/**
 * Requests to `/api/0` that came with an `Idempotency-Key`, and what was answered. Kept for a day. Nothing here is in the clear:
 * docs/decisions/0102-idempotency-keys.md
 */
import type { ColumnType } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type IdempotencyTables = { idempotent_request: IdempotentRequestTable }

export type IdempotentRequestTable = {
  /** Made of who calls and of the key. */
  id: Fixed<string>
  /** `token:ID` or `user:ID`: how many keys one has is bounded. */
  caller: Fixed<string>
  /** Of method, address and body. */
  fingerprint: string
  /** Null: it runs. */
  status: number | null
  /** Sealed. Null: it runs, or the answer was too long to be kept. */
  answer: string | null
  /** Then a process that runs it has died, and whoever comes again runs it once more. */
  running_until_ms: number
  ends_ms: number
}

export const IDEMPOTENT_REQUESTS: readonly string[] = [
  `CREATE TABLE idempotent_request (id text NOT NULL PRIMARY KEY, caller text NOT NULL, fingerprint text NOT NULL,
    status integer, answer text, running_until_ms integer NOT NULL, ends_ms integer NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX idempotent_request_by_caller ON idempotent_request (caller)',
  'CREATE INDEX idempotent_request_by_end ON idempotent_request (ends_ms)',
]
