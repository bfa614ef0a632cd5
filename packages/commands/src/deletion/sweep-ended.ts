/** Removes what its own end has made useless: links, invitations, sessions, proofs that were taken. Nothing reads it any more. */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { sql } from 'kysely'
import { ROWS_AT_ONCE } from './sweep-by-id.ts'

type Ending = {
  readonly table: string
  readonly key: string
  /** When it ends: Unix milliseconds, or better-auth's ISO text. */
  readonly end: string
  readonly isText?: boolean
  /** So long it is still shown, as ended. */
  readonly keptDays?: number
}

/** Whoever invited sees for a month that nobody came, and may renew the invitation. */
const INVITATION_DAYS = 30

/** What a status page tells of the past. */
const STATUS_HISTORY_DAYS = 365

const ENDINGS: readonly Ending[] = [
  { table: 'invitation', key: 'id', end: 'expires_ms', keptDays: INVITATION_DAYS },
  // Links for a new password and for a new address.
  { table: 'account_link', key: 'token_hash', end: 'expires_ms' },
  { table: 'account_mail', key: 'id', end: 'expires_ms' },
  // Answers that were kept for whoever asks once more with the same Idempotency-Key.
  { table: 'idempotent_request', key: 'id', end: 'ends_ms' },
  { table: 'issue_share', key: 'id', end: 'expires_ms' },
  { table: 'issue_share', key: 'id', end: 'revoked_ms' },
  // So long the second use of a code is known as such; used refresh tokens stay for their whole life.
  { table: 'oauth_secret', key: 'secret_hash', end: 'expires_ms', keptDays: 1 },
  { table: 'passkey_challenge', key: 'challenge_hash', end: 'expires_ms' },
  { table: 'sso_ticket', key: 'ticket_hash', end: 'until_ms' },
  { table: 'sso_used', key: 'key_hash', end: 'until_ms' },
  // Subscriptions to status pages that nobody confirmed.
  { table: 'status_subscriber', key: 'id', end: 'expires_ms' },
  { table: 'status_incident', key: 'id', end: 'ended_ms', keptDays: STATUS_HISTORY_DAYS },
  { table: 'try_window', key: 'key', end: 'ends_ms' },
  { table: 'session', key: 'id', end: 'expiresAt', isText: true },
  { table: 'verification', key: 'id', end: 'expiresAt', isText: true },
]

const DAY_MS = 86_400_000

/** In steps of some hundred rows. May be interrupted anywhere and called again. */
export async function sweepEnded(
  { records, clock }: { readonly records: Records; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const nowMs = clock.nowMs()
  // The sessions of a provider end by their own time, and the session with them.
  await remove(
    records,
    signal,
    sql`"session"`,
    sql`id`,
    sql`SELECT session_id FROM sso_session WHERE until_ms <= ${nowMs} LIMIT ${sql.lit(ROWS_AT_ONCE)}`,
  )
  // Connections of applications that nobody used for a month, or that nobody came for; their secrets go with them.
  await remove(
    records,
    signal,
    sql`api_token`,
    sql`id`,
    sql`SELECT api_token.id FROM oauth_app JOIN api_token ON api_token.id = oauth_app.token_id
      WHERE api_token.expires_ms <= ${nowMs} LIMIT ${sql.lit(ROWS_AT_ONCE)}`,
  )
  for (const { table, key, end, isText, keptDays = 0 } of ENDINGS) {
    const beforeMs = nowMs - keptDays * DAY_MS
    const before = isText ? new Date(beforeMs).toISOString() : beforeMs
    const ended = sql`SELECT ${sql.id(key)} FROM ${sql.id(table)} WHERE ${sql.id(end)} <= ${before} LIMIT ${sql.lit(ROWS_AT_ONCE)}`
    await remove(records, signal, sql.id(table), sql.id(key), ended)
  }
}

type Part = ReturnType<typeof sql>

async function remove(
  records: Records,
  signal: AbortSignal,
  table: Part,
  key: Part,
  ended: Part,
): Promise<void> {
  for (;;) {
    if (signal.aborted) return
    const { numAffectedRows } = await sql`DELETE FROM ${table} WHERE ${key} IN (${ended})`.execute(records)
    if (Number(numAffectedRows ?? 0) < ROWS_AT_ONCE) return
  }
}
