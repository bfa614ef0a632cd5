import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { operatorGrant } from '@sonde/access/grant'
import { auditLog, type AuditFilter, auditLogOfInstallation, walkAuditLog } from '@sonde/queries'
import type { AuditAction } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness, type OrgGrant } from './harness.ts'

const DAY_MS = 86_400_000

describe('the audit log', () => {
  let harness: Harness
  let acme: OrgGrant
  let rival: OrgGrant
  let atMs = NOW_MS

  const person = async (id: string, name: string): Promise<void> => {
    const made = new Date(NOW_MS).toISOString()
    const row = { id, email: `${id}@acme.test`, name, emailVerified: 1, isOperator: 0 }
    await harness.db
      .insertInto('user')
      .values({ ...row, createdAt: made, updatedAt: made } as never)
      .execute()
  }
  /** A minute after the one before. */
  const entry = async (
    orgId: number | null,
    actor: string,
    action: AuditAction,
    subject: string,
    detail: Readonly<Record<string, unknown>> = { a: 1 },
  ): Promise<void> => {
    atMs += 60_000
    await harness.db
      .insertInto('audit_entry')
      .values({
        org_id: orgId,
        actor,
        action,
        subject,
        detail: JSON.stringify(detail),
        at_ms: atMs,
        address: '192.0.2.1',
      })
      .execute()
  }
  const join = async (orgId: number, userId: string): Promise<void> => {
    await entry(orgId, 'operator:cli', 'member.set', userId)
    await harness.db
      .insertInto('member')
      .values({ org_id: orgId, user_id: userId, role: 'member', created_ms: atMs })
      .execute()
  }
  const leave = async (orgId: number, userId: string): Promise<void> => {
    await harness.db.deleteFrom('member').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
    await entry(orgId, 'user:ada', 'member.remove', userId)
  }
  const told = async (filter: AuditFilter = {}, grant = acme): Promise<readonly string[]> =>
    (await auditLog(harness.deps, grant, filter)).rows.map(
      ({ by, action, subjectEmail, subject }) => `${by} ${action} ${subjectEmail ?? subject}`,
    )

  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    rival = await harness.org('rival')
    await person('ada', 'Ada')
    await person('bob', 'Bob')
    await person('eve', 'Eve')
    await entry(null, 'user:bob', 'account.sign-in', 'bob') // before he came
    await join(acme.orgId, 'ada')
    await join(acme.orgId, 'bob')
    await join(rival.orgId, 'eve')
    await entry(null, 'user:eve', 'account.sign-in', 'eve')
    await entry(null, 'user:bob', 'account.sign-in', 'bob')
    await entry(null, 'stranger', 'account.sign-in-failure', 'bob')
    await entry(null, 'user:bob', 'push.add', 'bob')
    await entry(acme.orgId, 'sso:1', 'sso.sign-in', 'ada')
    await entry(acme.orgId, 'user:ada', 'project.create', 'acme/shop')
    await entry(rival.orgId, 'user:eve', 'project.create', 'rival/secret')
    await leave(acme.orgId, 'bob')
    await entry(null, 'user:bob', 'account.sign-in', 'bob') // after he left
  })
  after(() => harness.close())

  it('has what was done in the organization and the sign-ins of its members while they were members', async () => {
    assert.deepEqual(await told(), [
      'Ada member.remove bob@acme.test',
      'Ada project.create acme/shop',
      'single sign-on sso.sign-in ada@acme.test',
      'Somebody account.sign-in-failure bob@acme.test',
      'Bob account.sign-in bob@acme.test',
      'the operator member.set bob@acme.test',
      'the operator member.set ada@acme.test',
    ])
    assert.deepEqual(await told({}, rival), [
      'Eve project.create rival/secret',
      'Eve account.sign-in eve@acme.test',
      'the operator member.set eve@acme.test',
    ])
  })

  it('tells everything there is of an entry', async () => {
    const page = await auditLog(harness.deps, acme, { actions: ['project.create'] })
    assert.deepEqual(page, {
      rows: [
        {
          id: page.rows[0]?.id,
          atMs: page.rows[0]?.atMs,
          actor: 'user:ada',
          by: 'Ada',
          action: 'project.create',
          subject: 'acme/shop',
          subjectEmail: undefined,
          detail: { a: 1 },
          address: '192.0.2.1',
        },
      ],
      olderThan: undefined,
    })
  })

  it('is narrowed by who, what and when', async () => {
    assert.deepEqual(await told({ who: 'BOB@' }), [
      'Ada member.remove bob@acme.test',
      'Somebody account.sign-in-failure bob@acme.test',
      'Bob account.sign-in bob@acme.test',
      'the operator member.set bob@acme.test',
    ])
    assert.deepEqual(await told({ who: 'eve' }), [], 'a person of another organization is nobody here')
    assert.deepEqual(await told({ who: '%' }), [])
    assert.deepEqual(await told({ actions: ['member.set'] }), [
      'the operator member.set bob@acme.test',
      'the operator member.set ada@acme.test',
    ])
    assert.deepEqual(await told({ fromMs: NOW_MS + DAY_MS }), [])
    assert.equal((await told({ fromMs: NOW_MS, toMs: NOW_MS + DAY_MS })).length, 7)
    assert.deepEqual(await told({ toMs: NOW_MS + 60_000 }), [])
  })

  it('goes on page by page, without losing or repeating any', async () => {
    const all = await told()
    const read = (filter: AuditFilter) => auditLog(harness.deps, acme, filter, 2)
    const walked: string[] = []
    for await (const rows of walkAuditLog(read, {}))
      walked.push(
        ...rows.map(({ by, action, subjectEmail, subject }) => `${by} ${action} ${subjectEmail ?? subject}`),
      )
    assert.deepEqual(walked, all)
    const first = await read({})
    assert.equal(first.olderThan, first.rows[1]?.id)
  })

  it('says who came into a team and left it, and finds these by the person', async () => {
    await entry(rival.orgId, 'user:eve', 'team.member-add', 'rival #web', { teamId: 1, userId: 'eve' })
    await entry(rival.orgId, 'user:eve', 'team.member-remove', 'rival #web', { teamId: 1, userId: 'gone' })
    const actions = ['team.member-add', 'team.member-remove'] as const
    const { rows } = await auditLog(harness.deps, rival, { actions })
    assert.deepEqual(
      rows.map(({ detail }) => detail),
      [
        { teamId: 1, userId: 'gone' },
        { teamId: 1, userId: 'eve', email: 'eve@acme.test' },
      ],
    )
    await join(rival.orgId, 'ada')
    await entry(rival.orgId, 'user:eve', 'team.member-add', 'rival #web', { teamId: 1, userId: 'ada' })
    assert.deepEqual(await told({ who: 'ada@', actions }, rival), ['Eve team.member-add rival #web'])
  })

  it('the operator sees the whole installation', async () => {
    const all = await auditLogOfInstallation(harness.deps, operatorGrant(operatorViewer), {}, 100)
    const { count } = await harness.db
      .selectFrom('audit_entry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(all.rows.length, count)
    assert.equal(all.olderThan, undefined)
  })
})
