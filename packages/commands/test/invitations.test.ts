import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  acceptInvitation,
  createInvitedAccount,
  createInviteLink,
  createOrganization,
  INVITATION_LIMITS,
  inviteMembers,
  lookAtInvitation,
  removeMember,
  renewInvitation,
  revokeInvitation,
  setMemberRole,
} from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'correct horse'

describe('invitations', () => {
  let harness: Harness
  let owner: UserViewer
  let admin: UserViewer
  before(async () => {
    harness = await openHarness({ hasMail: true })
    for (const slug of ['acme', 'rival']) await createOrganization(harness.deps, operatorViewer, { slug })
    owner = await harness.viewer('acme', 'owner')
    admin = await harness.viewer('acme', 'admin')
  })
  after(() => harness.close())

  const mayInvite = (viewer: UserViewer = owner, org = 'acme') =>
    harness.access.openOrg(viewer, org, 'member:write')
  const tokenOf = (url: string | undefined): string => new URL(url ?? '').searchParams.get('token') ?? ''
  const stateOf = async (token: string) => (await lookAtInvitation(harness.deps, token)).state
  const kindOf = (job: Promise<unknown>) =>
    job.then(
      () => 'done',
      (error: unknown) => errorKind(error) ?? String(error),
    )
  const invite = async (email: string, more = {}): Promise<string> => {
    const { invited } = await inviteMembers(harness.deps, await mayInvite(), {
      emails: [email],
      byMail: false,
      ...more,
    })
    return tokenOf(invited[0]?.url)
  }
  const signedIn = async (email: string): Promise<UserViewer> => {
    const viewer = await harness.signIn(email, PASSWORD)
    assert.ok(viewer, `${email} cannot sign in`)
    return viewer
  }
  const account = (token: string, email = 'else@acme.test') =>
    createInvitedAccount(harness.deps, token, { email, name: 'New', password: PASSWORD }, '198.51.100.7')

  test('by mail: the link stands in the mail alone, and makes an account whose address is proven', async () => {
    const made = await inviteMembers(harness.deps, await mayInvite(), {
      emails: ['Mailed@acme.test', 'mailed@acme.test', 'admin@acme.test'],
      role: 'viewer',
    })
    assert.deepEqual(made.members, ['admin@acme.test'])
    assert.deepEqual(
      made.invited.map(({ email, url }) => [email, url]),
      [['mailed@acme.test', undefined]],
    )
    const [mail] = (await harness.mails()).filter(({ to }) => to === 'mailed@acme.test')
    const url = mail?.button?.url ?? ''
    assert.ok(url.startsWith('http://sonde.test/settings/invitation?token='))
    const token = tokenOf(url)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const stored = await harness.db.selectFrom('invitation').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes(token))
    // Looking uses nothing up.
    for (const _ of [1, 2]) assert.equal(await stateOf(token), 'open')
    const { userId } = await account(token)
    const viewer = await signedIn('mailed@acme.test')
    assert.deepEqual(
      viewer.memberships.map(({ orgSlug, role }) => [orgSlug, role]),
      [['acme', 'viewer']],
    )
    const row = await harness.db
      .selectFrom('user')
      .select('emailVerified' as never)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row, { emailVerified: 1 })
    assert.equal(await stateOf(token), 'gone')
    assert.equal(await kindOf(account(token)), 'not-found')
    const told = (await harness.mails()).find(({ to }) => to === 'owner@acme.test')
    assert.equal(told?.subject, 'mailed@acme.test joined acme')
    assert.ok((await harness.audit()).includes(`user:${userId} member.join ${userId}`))
  })

  test('a link that was passed on proves no address, and an account that exists signs in instead', async () => {
    const token = await invite('linked@acme.test')
    const { userId } = await account(token)
    const row = await harness.db
      .selectFrom('user')
      .select('emailVerified' as never)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row, { emailVerified: 0 })
    await harness.viewer('rival', 'member', 'known@rival.test')
    const again = await invite('known@rival.test', { role: 'admin' })
    await assert.rejects(account(again), /email: has an account already: sign in instead/)
    const other = await signedIn('linked@acme.test')
    assert.equal(await kindOf(acceptInvitation(harness.deps, other, again)), 'conflict')
    assert.equal(await stateOf(again), 'open')
    const { orgSlug } = await acceptInvitation(harness.deps, await signedIn('known@rival.test'), again)
    assert.equal(orgSlug, 'acme')
    assert.equal((await signedIn('known@rival.test')).memberships.length, 2)
  })

  test('a password that is not allowed leaves the invitation, and no account', async () => {
    const token = await invite('weak@acme.test')
    const input = { email: '', name: 'Weak', password: 'password1' }
    await assert.rejects(createInvitedAccount(harness.deps, token, input, undefined), /most used passwords/)
    assert.equal(await stateOf(token), 'open')
    const found = await harness.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'weak@acme.test')
      .execute()
    assert.deepEqual(found, [])
  })

  test('expires, is replaced by a newer one, and is revoked', async () => {
    const first = await invite('late@acme.test', { days: 1 })
    const second = await invite('late@acme.test', { days: 1 })
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['gone', 'open'])
    harness.clock.advance(DAY_MS)
    assert.equal(await stateOf(second), 'expired')
    assert.equal(await kindOf(account(second)), 'not-found')
    const { id } = await harness.db
      .selectFrom('invitation')
      .select('id')
      .where('email', '=', 'late@acme.test')
      .executeTakeFirstOrThrow()
    const grant = await mayInvite()
    const renewed = await renewInvitation(harness.deps, grant, { invitationId: id, byMail: false })
    const third = tokenOf(renewed.url)
    assert.deepEqual([await stateOf(second), await stateOf(third)], ['gone', 'open'])
    assert.equal(renewed.expiresMs, harness.clock.nowMs() + DAY_MS)
    await revokeInvitation(harness.deps, grant, { invitationId: id })
    assert.equal(await stateOf(third), 'gone')
    assert.equal(await kindOf(revokeInvitation(harness.deps, grant, { invitationId: id })), 'not-found')
    const rival = await harness.viewer('rival', 'owner')
    const theirs = await inviteMembers(harness.deps, await mayInvite(rival, 'rival'), {
      emails: ['x@rival.test'],
    })
    const invitationId = theirs.invited[0]?.invitationId ?? 0
    assert.equal(await kindOf(revokeInvitation(harness.deps, grant, { invitationId })), 'not-found')
  })

  test('owners are invited by owners alone; what an admin made ends with what they may', async () => {
    const asAdmin = await mayInvite(admin)
    const byAdmin = (role: 'owner' | 'member', email: string) =>
      inviteMembers(harness.deps, asAdmin, { emails: [email], role, byMail: false })
    assert.equal(await kindOf(byAdmin('owner', 'boss@acme.test')), 'forbidden')
    const { invited } = await byAdmin('member', 'friend@acme.test')
    const token = tokenOf(invited[0]?.url)
    const grant = await mayInvite()
    await setMemberRole(harness.deps, grant, { userId: admin.userId, role: 'member' })
    assert.equal(await stateOf(token), 'gone')
    await setMemberRole(harness.deps, grant, { userId: admin.userId, role: 'admin' })
    assert.equal(await stateOf(token), 'open')
    await removeMember(harness.deps, grant, { userId: admin.userId })
    const left = await harness.db
      .selectFrom('invitation')
      .select('id')
      .where('email', '=', 'friend@acme.test')
      .execute()
    assert.deepEqual(left, [])
  })

  test('a link for anybody lets in as many as it says, also at once, with its teams', async () => {
    const { id: teamId } = await harness.db
      .insertInto('team')
      .values({ org_id: owner.memberships[0]?.orgId ?? 0, slug: 'web', name: 'Web', created_ms: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const grant = await mayInvite()
    assert.equal(await kindOf(createInviteLink(harness.deps, grant, { role: 'admin' })), 'invalid')
    assert.equal(await kindOf(createInviteLink(harness.deps, grant, { teamIds: [teamId + 1] })), 'invalid')
    const made = await createInviteLink(harness.deps, grant, { maxUses: 2, teamIds: [teamId] })
    const token = tokenOf(made.url)
    const results = await Promise.all(
      ['one', 'two', 'three'].map((name) => kindOf(account(token, `${name}@open.test`))),
    )
    assert.deepEqual(results.toSorted(), ['done', 'done', 'not-found'])
    const people = await harness.db
      .selectFrom('user')
      .select('id')
      .where('email', 'like', '%@open.test')
      .execute()
    assert.equal(people.length, 2)
    const inTeam = await harness.db
      .selectFrom('team_member')
      .selectAll()
      .where('team_id', '=', teamId)
      .execute()
    assert.equal(inTeam.length, 2)
  })

  test('a member who tries a link for anybody takes nobody’s place, unless it adds them to a team', async () => {
    const { id: teamId } = await harness.db
      .insertInto('team')
      .values({ org_id: owner.memberships[0]?.orgId ?? 0, slug: 'links', name: 'Links', created_ms: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const grant = await mayInvite()
    const usesOf = async (url: string | undefined) => {
      const looked = await lookAtInvitation(harness.deps, tokenOf(url))
      const row = await harness.db
        .selectFrom('invitation')
        .select('uses')
        .where('id', '=', looked.state === 'open' ? looked.invitation.invitationId : 0)
        .executeTakeFirst()
      return row?.uses
    }
    const plain = await createInviteLink(harness.deps, grant, { maxUses: 1 })
    const { orgSlug } = await acceptInvitation(harness.deps, owner, tokenOf(plain.url))
    assert.deepEqual([orgSlug, await usesOf(plain.url)], ['acme', 0])
    await account(tokenOf(plain.url), 'last-place@open.test')
    assert.equal(await stateOf(tokenOf(plain.url)), 'gone')

    const withTeam = await createInviteLink(harness.deps, grant, { maxUses: 2, teamIds: [teamId] })
    for (const _ of [1, 2]) await acceptInvitation(harness.deps, owner, tokenOf(withTeam.url))
    assert.equal(await usesOf(withTeam.url), 1)
  })

  test('an organization sends so many an hour, and who is refused changed nothing', async () => {
    harness.clock.advance(DAY_MS)
    const grant = await mayInvite()
    const many = (name: string) =>
      inviteMembers(harness.deps, grant, {
        emails: Array.from(
          { length: INVITATION_LIMITS.addressesAtOnce },
          (_, at) => `${name}${at}@many.test`,
        ),
      })
    const rounds = INVITATION_LIMITS.anHour / INVITATION_LIMITS.addressesAtOnce
    for (let round = 0; round < rounds; round += 1) await many(`r${round}-`)
    await assert.rejects(many('more-'), /at most 200 invitations an hour/)
    const refused = await harness.db
      .selectFrom('invitation')
      .select('id')
      .where('email', 'like', 'more-%')
      .execute()
    assert.deepEqual(refused, [])
    assert.ok(!(await harness.mails()).some(({ to }) => to.startsWith('more-')))
  })

  test('what is no token is gone, whatever it is', async () => {
    for (const text of ['', 'x', 'x'.repeat(43), 'ä'.repeat(43), '\0'.repeat(43), 'x'.repeat(100_000)])
      assert.equal(await stateOf(text), 'gone')
  })
})
