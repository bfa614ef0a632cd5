/** Links, invitations, sessions and proofs go once they have ended; what lives stays. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject } from '@sonde/commands'
import { sql } from 'kysely'
import { sweepEnded } from '../src/deletion/sweep-ended.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
/** The last millisecond of what has ended, and the first of what has not. */
const [OVER_MS, LIVE_MS] = [NOW_MS, NOW_MS + 1]
const TABLES = [
  'invitation',
  'account_link',
  'account_mail',
  'issue_share',
  'passkey_challenge',
  'session',
  'sso_session',
  'sso_ticket',
  'sso_used',
  'try_window',
  'verification',
] as const

describe('what has ended', () => {
  let harness: Harness
  let orgId: number
  let userId: string
  let issueId: number
  before(async () => {
    harness = await openHarness()
    const { id, orgId: org } = await ensureProject(harness.deps, operatorViewer, {
      org: 'acme',
      slug: 'shop',
    })
    orgId = org
    userId = (await harness.viewer('acme', 'owner')).userId
    issueId = (await harness.issues(id, 1))[0] ?? 0
  })
  after(() => harness.close())

  const sweep = (signal = new AbortController().signal) =>
    sweepEnded({ records: harness.db, clock: harness.clock }, signal)
  const counts = async () => {
    const found: Record<string, number> = {}
    for (const table of TABLES) {
      const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(
        harness.db,
      )
      found[table] = Number(rows[0]?.n)
    }
    return found
  }
  const session = async (id: string, endsMs: number) => {
    const at = new Date(NOW_MS - DAY_MS).toISOString()
    const row = { id, token: id, userId, createdAt: at, updatedAt: at }
    await harness.db
      .insertInto('session')
      .values({ ...row, expiresAt: new Date(endsMs).toISOString() })
      .execute()
  }
  /** One of each that ends then. */
  const make = async (name: string, endMs: number) => {
    const { db } = harness
    const made = { created_ms: 0, expires_ms: endMs }
    await db
      .insertInto('invitation')
      .values({
        org_id: orgId,
        email: `${name}@acme.test`,
        role: 'member',
        token_hash: name,
        is_mailed: 0,
        invited_by: 'operator',
        created_ms: 0,
        sent_ms: 0,
        expires_ms: endMs - 30 * DAY_MS,
        max_uses: 1,
      })
      .execute()
    await db
      .insertInto('account_link')
      .values({ token_hash: name, user_id: userId, purpose: 'password-reset', value: '', ...made })
      .execute()
    await db
      .insertInto('account_mail')
      .values({ to_address: name, content: '', next_attempt_ms: 0, ...made })
      .execute()
    const share = { issue_id: issueId, created_by: 'operator', created_ms: 0 }
    await db
      .insertInto('issue_share')
      .values([
        { ...share, token_hash: `${name} ends`, expires_ms: endMs, revoked_ms: null },
        { ...share, token_hash: `${name} is revoked`, expires_ms: NOW_MS + DAY_MS, revoked_ms: endMs },
      ])
      .execute()
    await db.insertInto('passkey_challenge').values({ challenge_hash: name, expires_ms: endMs }).execute()
    await session(name, endMs)
    await session(`${name} of a provider`, NOW_MS + DAY_MS)
    await db
      .insertInto('sso_session')
      .values({ session_id: `${name} of a provider`, org_id: orgId, until_ms: endMs })
      .execute()
    await db.insertInto('sso_used').values({ key_hash: name, until_ms: endMs }).execute()
    await db
      .insertInto('sso_ticket')
      .values({ ticket_hash: name, connection_id: 1, person: '', until_ms: endMs })
      .execute()
    await db
      .insertInto('try_window')
      .values({ key: name, tries: 1, next_try_ms: 0, ends_ms: endMs })
      .execute()
    const at = new Date(0).toISOString()
    await sql`INSERT INTO "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
      VALUES (${name}, ${name}, '', ${new Date(endMs).toISOString()}, ${at}, ${at})`.execute(db)
  }

  it('goes at its end, an invitation a month later, and what lives a millisecond longer stays', async () => {
    await harness.db.deleteFrom('session').execute()
    await harness.db
      .insertInto('sso_connection')
      .values({
        id: 1,
        org_id: orgId,
        kind: 'oidc',
        name: 'Login',
        settings: '{}',
        secret: '',
        is_on: 0,
        is_required: 0,
        makes_accounts: 0,
        default_role: 'member',
        session_hours: 24,
        created_by: 'operator',
        created_ms: 0,
        updated_ms: 0,
      })
      .execute()
    await harness.db.deleteFrom('try_window').execute()
    await make('over', OVER_MS)
    await make('alive', LIVE_MS)
    const both = await counts()
    await sweep()
    const left = await counts()
    for (const table of TABLES)
      assert.deepEqual([table, left[table]], [table, (both[table] ?? 0) / 2], 'half of each has ended')
    const hashes = await harness.db.selectFrom('issue_share').select('token_hash').orderBy('id').execute()
    assert.deepEqual(
      hashes.map(({ token_hash }) => token_hash),
      ['alive ends', 'alive is revoked'],
    )
  })

  it('is removed to the last of more than a thousand, and not at all once the process is to end', async () => {
    const rows = Array.from({ length: 1_203 }, (_, at) => ({ key_hash: `old ${at}`, until_ms: 1 }))
    await harness.db.insertInto('sso_used').values(rows).execute()
    await sweep(AbortSignal.abort())
    assert.equal((await counts())['sso_used'], 1_204)
    await sweep()
    assert.equal((await counts())['sso_used'], 1)
  })
})
