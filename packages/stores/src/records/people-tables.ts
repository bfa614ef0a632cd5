/** Who looks after the installation, who is locked out, and until when a token works. */
import type { ColumnType } from 'kysely'

/** Columns of our own in better-auth's table, named as it names its own. */
export type PersonColumns = {
  /** 1: looks after the whole installation. Independent of the roles in organisations. */
  isOperator: ColumnType<number, number | undefined, number>
  /** Since when this person is locked out. Null: not. */
  disabledMs: ColumnType<number | null, number | null | undefined, number | null>
  /** Exact to the hour. Null: never. */
  lastSeenMs: ColumnType<number | null, number | null | undefined, number | null>
}

export type TokenLifeColumns = {
  /** From here on the token is refused. Null: it does not expire. */
  expires_ms: ColumnType<number | null, number | null | undefined, number | null>
  /** From where it was used last, written with `last_used_ms`. */
  last_used_address: ColumnType<string | null, string | null | undefined, string | null>
  /** The person who made it: of a token of the organisation too, which outlives that person. Null: the command line. */
  made_by: ColumnType<string | null, string | null | undefined, never>
}

/**
 * Until here owners of organisation 1 looked after the installation. Those keep it whom nobody but the first start made
 * that: the person whom it made, and further owners when it made the organisation too. An organisation that the command
 * line made before the first start may be a customer's; its other owners never should have had the machine. Nobody gains.
 */
const FIRST_START = `SELECT min(id) FROM audit_entry WHERE actor = 'operator:server' AND action = 'user.create'`
const MARK_OPERATORS = `UPDATE "user" SET "isOperator" = 1
  WHERE id IN (SELECT user_id FROM member WHERE org_id = 1 AND role = 'owner')
    AND EXISTS (SELECT 1 FROM audit_entry WHERE id = (${FIRST_START}))
    AND (id IN (SELECT subject FROM audit_entry WHERE actor = 'operator:server' AND action = 'user.create')
      OR NOT EXISTS (SELECT 1 FROM audit_entry
        WHERE org_id = 1 AND action = 'project.create' AND id < (${FIRST_START})))`

export const PEOPLE = [
  'ALTER TABLE "user" ADD COLUMN "isOperator" integer NOT NULL DEFAULT 0',
  'ALTER TABLE "user" ADD COLUMN "disabledMs" integer',
  'ALTER TABLE "user" ADD COLUMN "lastSeenMs" integer',
  'ALTER TABLE api_token ADD COLUMN expires_ms integer',
  'ALTER TABLE api_token ADD COLUMN last_used_address text',
  'ALTER TABLE api_token ADD COLUMN made_by text',
  'UPDATE api_token SET made_by = user_id',
  'CREATE INDEX api_token_by_user ON api_token (user_id)',
  MARK_OPERATORS,
]
