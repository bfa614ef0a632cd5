import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { mayOperate, openInstallation, operatorViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  createOrganization,
  ensureProject,
  createUser,
  ensureOwner,
  InvalidInput,
  setOperator,
} from '@sonde/commands'
import { listPeople } from '@sonde/queries'
import { type Harness, openHarness } from './harness.ts'

const PASSWORD = 'correct horse'
const kind = (expected: string) => (error: SondeError) => error.kind === expected

describe('operators', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await openHarness()
  })
  afterEach(() => harness.close())

  const signedIn = async (email: string) => {
    const viewer = await harness.signIn(email, PASSWORD)
    assert.ok(viewer, email)
    return viewer
  }
  const set = (email: string, isOperator: boolean) =>
    setOperator(harness.deps, operatorViewer, { email, isOperator })

  it('owners of one customer do not own the next', async () => {
    await ensureOwner(harness.deps, { email: 'root@sonde.test', password: PASSWORD })
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const ann = await harness.viewer('acme', 'owner', 'ann@acme.test')
    await createOrganization(harness.deps, operatorViewer, { slug: 'beta' })
    const again = await signedIn('ann@acme.test')
    await assert.rejects(harness.access.openOrg(again, 'beta', 'org:read'), kind('not-found'))
    assert.deepEqual(
      again.memberships.map((each) => each.orgSlug),
      ['acme'],
    )
    const root = await signedIn('root@sonde.test')
    await harness.access.openOrg(root, 'beta', 'org:write')
    const entries = (await harness.audit()).filter((entry) => entry.startsWith('operator:'))
    const beta = entries.slice(entries.indexOf('operator:cli organization.create beta'))
    assert.deepEqual(beta, [
      'operator:cli organization.create beta',
      `operator:cli member.set ${root.userId}`,
    ])
    assert.ok(!beta.some((entry) => entry.includes(ann.userId)))
  })

  it('a customer whose organization was there before the first start does not get the machine', async () => {
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureOwner(harness.deps, { email: 'root@sonde.test', password: PASSWORD })
    await createUser(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, 'acme', 'member:write'),
      {
        email: 'ann@acme.test',
        role: 'owner',
        password: PASSWORD,
      },
    )
    const ann = await signedIn('ann@acme.test')
    assert.deepEqual([ann.memberships[0]?.orgId, ann.memberships[0]?.role], [1, 'owner'])
    assert.equal(mayOperate(ann), false)
    assert.equal(mayOperate(await signedIn('root@sonde.test')), true)
  })

  it('the command line makes and unmakes them, on record, but for the last', async () => {
    await ensureOwner(harness.deps, { email: 'root@sonde.test', password: PASSWORD })
    const ann = await harness.viewer('default', 'viewer', 'ann@acme.test')
    assert.equal(ann.isOperator, false)
    await assert.rejects(set('root@sonde.test', false), kind('conflict'))
    assert.deepEqual(await set('Ann@acme.test', true), { changed: true })
    assert.deepEqual(await set('ann@acme.test', true), { changed: false })
    assert.equal(mayOperate(await signedIn('ann@acme.test')), true)
    assert.deepEqual(await set('root@sonde.test', false), { changed: true })
    assert.equal(mayOperate(await signedIn('root@sonde.test')), false)
    await assert.rejects(set('ann@acme.test', false), kind('conflict'))
    await assert.rejects(set('nobody@acme.test', true), kind('not-found'))
    await assert.rejects(set('no address', true), InvalidInput)
    const root = await signedIn('root@sonde.test')
    const entries = (await harness.audit()).filter((entry) => entry.startsWith('operator:'))
    assert.deepEqual(entries.slice(-2), [
      `operator:cli operator.add ${ann.userId}`,
      `operator:cli operator.remove ${root.userId}`,
    ])
  })

  it('everybody is listed with their roles, and when they were seen', async () => {
    await ensureOwner(harness.deps, { email: 'root@sonde.test', password: PASSWORD })
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const never = { org: 'acme', email: 'ann@acme.test', name: 'Ann', password: PASSWORD }
    await createUser(
      harness.deps,
      await harness.deps.access.openOrg(operatorViewer, never.org, 'member:write'),
      never,
    )
    await signedIn('root@sonde.test')
    const shown = (await listPeople({ records: harness.db }, openInstallation(operatorViewer))).map(
      ({ email, name, isOperator, isDisabled, hasTwoFactor, lastSeenMs, memberships }) => {
        const roles = memberships.map(({ orgSlug, role }) => `${orgSlug} ${role}`)
        return [email, name, isOperator, isDisabled, hasTwoFactor, lastSeenMs, roles]
      },
    )
    assert.deepEqual(shown, [
      ['ann@acme.test', 'Ann', false, false, false, undefined, ['acme member']],
      ['root@sonde.test', 'root', true, false, false, harness.clock.nowMs(), ['acme owner', 'default owner']],
    ])
  })
})
