import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, createUser, ensureOwner, InvalidInput } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('people', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await openHarness()
  })
  afterEach(() => harness.close())

  const slugs = async (email: string, password: string): Promise<string> =>
    (await harness.signIn(email, password))?.memberships.map((org) => `${org.orgSlug} ${org.role}`).join() ??
    'cannot sign in'

  it('the first start makes an owner who can sign in, the second changes nothing', async () => {
    const first = await ensureOwner(harness.deps, { email: 'Ada@Acme.test', password: 'correct horse' })
    assert.deepEqual(first, { isNew: true, email: 'ada@acme.test', generatedPassword: undefined })
    assert.equal(await slugs('ada@acme.test', 'correct horse'), 'default owner')
    const second = await ensureOwner(harness.deps, { email: 'eve@acme.test', password: 'battery staple' })
    assert.deepEqual(second, { isNew: false })
    assert.equal(await slugs('eve@acme.test', 'battery staple'), 'cannot sign in')
  })

  it('without a password one is made up, and it works', async () => {
    const made = await ensureOwner(harness.deps, { email: 'ada@acme.test' })
    assert.ok(made.isNew && made.generatedPassword !== undefined)
    assert.match(made.generatedPassword, /^[\w-]{20}$/)
    assert.equal(await slugs('ada@acme.test', made.generatedPassword), 'default owner')
  })

  it('what the command line made before and after belongs to the owner too', async () => {
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureOwner(harness.deps, { email: 'ada@acme.test', password: 'correct horse' })
    await ensureProject(harness.deps, operatorViewer, { org: 'late', slug: 'shop' })
    assert.equal(await slugs('ada@acme.test', 'correct horse'), 'acme owner,late owner')
  })

  it('a start that crashed before the password was printed is repeated', async () => {
    await harness.access.createUser({ email: 'ada@acme.test', name: 'Ada', password: 'never printed' })
    const made = await ensureOwner(harness.deps, { email: 'ada@acme.test', password: 'correct horse' })
    assert.equal(made.isNew, true)
    assert.equal(await slugs('ada@acme.test', 'correct horse'), 'default owner')
  })

  it('a wrong setting is named', async () => {
    await assert.rejects(ensureOwner(harness.deps, { email: 'not an address' }), InvalidInput)
    await assert.rejects(ensureOwner(harness.deps, { email: 'a@b.test', password: 'short' }), kind('invalid'))
  })

  it('admins add members but no owners; members add nobody', async () => {
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const admin = await harness.viewer('acme', 'admin')
    const member = await harness.viewer('acme', 'member')
    const input = { org: 'acme', email: 'new@acme.test', password: 'correct horse' }
    await assert.rejects(
      harness.deps.access
        .openOrg(member, input.org, 'member:write')
        .then((grant) => createUser(harness.deps, grant, input)),
      kind('forbidden'),
    )
    await assert.rejects(
      harness.deps.access
        .openOrg(admin, input.org, 'member:write')
        .then((grant) => createUser(harness.deps, grant, { ...input, role: 'owner' })),
      kind('forbidden'),
    )
    const created = await createUser(
      harness.deps,
      await harness.deps.access.openOrg(admin, input.org, 'member:write'),
      input,
    )
    assert.equal(created.isNew, true)
    assert.equal(await slugs('new@acme.test', 'correct horse'), 'acme member')
  })

  it('an admin cannot take the role of an owner away', async () => {
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const admin = await harness.viewer('acme', 'admin')
    const owner = await harness.viewer('acme', 'owner')
    const demotion = { org: 'acme', email: owner.email.toUpperCase(), role: 'viewer' } as const
    await assert.rejects(
      harness.deps.access
        .openOrg(admin, demotion.org, 'member:write')
        .then((grant) => createUser(harness.deps, grant, demotion)),
      kind('forbidden'),
    )
    await createUser(harness.deps, await harness.deps.access.openOrg(owner, demotion.org, 'member:write'), {
      ...demotion,
      email: admin.email,
    })
    assert.equal(await slugs(admin.email, 'correct horse'), 'acme viewer')
  })

  it('somebody who has an account keeps its password when added elsewhere', async () => {
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
    const person = await harness.viewer('acme', 'member')
    const added = await createUser(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'rival', 'member:write'),
      { email: person.email, password: 'somebody else', role: 'viewer' },
    )
    assert.deepEqual([added.isNew, added.userId], [false, person.userId])
    assert.equal(await slugs(person.email, 'correct horse'), 'acme member,rival viewer')
  })
})
