/** What was deleted is nowhere for a day, comes back as it was, or goes for good; of issues see the pipeline's tests of moves. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  createOrganization,
  createProject,
  deleteOrganization,
  deleteProject,
  ensureOwner,
  ensureProject,
  InvalidInput,
  purgeDeleted,
  restoreDeleted,
  updateProject,
} from '@sonde/commands'
import { hideEvents, RESTORABLE_MS } from '@sonde/stores'
import { sweepRecentlyDeleted } from '../src/deletion/sweep-recently-deleted.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

let harness: Harness
let owner: UserViewer
let admin: UserViewer
let orgs = 0
let org: string

const is = (kind: string) => (error: SondeError) => error.kind === kind
const { signal } = new AbortController()
const sweep = (clock: Pick<Harness['clock'], 'nowMs'> = harness.clock) =>
  sweepRecentlyDeleted({ records: harness.db, clock: { ...harness.clock, nowMs: clock.nowMs }, signal })
const later = { nowMs: () => NOW_MS + RESTORABLE_MS }
const deleteShop = async (viewer = owner): Promise<number> => {
  const grant = await harness.access.openProject(viewer, org, 'shop', 'project:delete')
  return (await deleteProject(harness.deps, grant, { confirmSlug: 'shop' })).deletedId
}
const deleteAll = async (): Promise<number> => {
  const grant = await harness.access.openOrg(owner, org, 'org:write')
  return (await deleteOrganization(harness.deps, grant, { confirmSlug: org })).deletedId
}
const slugs = async (): Promise<string[]> =>
  (await harness.deps.records.selectFrom('project').select('slug').orderBy('slug').execute()).map(
    ({ slug }) => slug,
  )

describe('what was deleted', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('organization').execute()
    org = `acme${++orgs}`
    for (const slug of ['shop', 'site']) await ensureProject(harness.deps, operatorViewer, { org, slug })
    owner = await harness.viewer(org, 'owner')
    admin = await harness.viewer(org, 'admin')
  })

  it('of projects: is nowhere, keeps its slug, and is there again with the same id and keys', async () => {
    const of = (slug: string) => harness.access.openProject(owner, org, slug, 'project:write')
    const before = await of('shop')
    const keys = () => harness.deps.records.selectFrom('project_key').selectAll().orderBy('id').execute()
    const allKeys = await keys()
    const id = await deleteShop()
    await assert.rejects(of('shop'), is('not-found'))
    assert.deepEqual(await slugs(), ['site'])
    assert.equal((await keys()).length, 1)
    const orgGrant = await harness.access.openOrg(owner, org, 'project:create')
    await assert.rejects(createProject(harness.deps, orgGrant, { slug: 'shop' }), InvalidInput)
    await assert.rejects(updateProject(harness.deps, await of('site'), { slug: 'shop' }), InvalidInput)

    assert.deepEqual(await restoreDeleted(harness.deps, owner, { id }), {
      kind: 'project',
      orgSlug: org,
      projectSlug: 'shop',
      count: 1,
    })
    assert.deepEqual(await of('shop'), before)
    assert.deepEqual(await keys(), allKeys)
    await assert.rejects(restoreDeleted(harness.deps, owner, { id }), is('not-found'))
    const actions = (await harness.audit()).filter((line) => line.endsWith(`${org}/shop`)).slice(-2)
    assert.deepEqual(actions, [
      `user:${owner.userId} project.delete ${org}/shop`,
      `user:${owner.userId} project.restore ${org}/shop`,
    ])
  })

  it('is restored and purged only by who may delete it', async () => {
    const id = await deleteShop()
    for (const viewer of [admin, await harness.viewer(org, 'member')])
      for (const act of [restoreDeleted, purgeDeleted])
        await assert.rejects(act(harness.deps, viewer, { id }), is('forbidden'))
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
    const rival = await harness.viewer('rival', 'owner')
    await assert.rejects(restoreDeleted(harness.deps, rival, { id }), is('not-found'))
    await restoreDeleted(harness.deps, operatorViewer, { id })
    const whole = await deleteAll()
    for (const viewer of [admin, rival])
      for (const act of [restoreDeleted, purgeDeleted])
        await assert.rejects(act(harness.deps, viewer, { id: whole }), is('not-found'))
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53])
      await assert.rejects(restoreDeleted(harness.deps, owner, { id: wrong }), is('not-found'))
  })

  it('stays for a day and then goes for good, however often the sweep begins', async () => {
    const id = await deleteShop()
    await sweep()
    assert.equal((await harness.db.selectFrom('project').select('id').execute()).length, 2)
    await sweep(later)
    await sweep(later)
    const left = await harness.db.selectFrom('project').select('slug').execute()
    assert.deepEqual(left, [{ slug: 'site' }])
    for (const table of ['recently_deleted', 'hidden_project'] as const)
      assert.deepEqual(await harness.db.selectFrom(table).selectAll().execute(), [])
    await assert.rejects(restoreDeleted(harness.deps, owner, { id }), is('not-found'))
    assert.ok((await harness.audit()).includes(`operator:server project.purge ${org}/shop`))
    // The name is free again.
    const grant = await harness.access.openOrg(owner, org, 'project:create')
    assert.equal((await createProject(harness.deps, grant, { slug: 'shop' })).isNew, true)
  })

  it('is not restored once somebody deleted it for good, also before the sweep', async () => {
    const id = await deleteShop()
    for (const _ of [1, 2]) await purgeDeleted(harness.deps, owner, { id })
    await assert.rejects(restoreDeleted(harness.deps, owner, { id }), is('not-found'))
    await sweep()
    assert.equal((await harness.db.selectFrom('project').select('id').execute()).length, 1)
  })

  it('of events: goes for good once somebody says so, its rows with the moves of issues', async () => {
    const { projectId } = await harness.access.openProject(owner, org, 'shop', 'event:delete')
    const what = { projectId, issueIds: [1], count: 2, items: '[]' }
    const id = (await hideEvents(harness.db, { actor: 'user:u', atMs: NOW_MS }, what)) ?? 0
    await assert.rejects(
      purgeDeleted(harness.deps, await harness.viewer(org, 'member'), { id }),
      is('forbidden'),
    )
    await sweep()
    const linesOf = () => harness.db.selectFrom('recently_deleted').select('id').execute()
    assert.deepEqual(await linesOf(), [{ id }])
    assert.deepEqual(await purgeDeleted(harness.deps, admin, { id }), {
      kind: 'events',
      orgSlug: org,
      projectSlug: 'shop',
    })
    await sweep()
    assert.deepEqual(await linesOf(), [])
    const left = await harness.db.selectFrom('event_deletion').select(['id', 'state']).execute()
    assert.deepEqual(left, [{ id, state: 'hides' }])
    const actions = (await harness.audit()).filter((line) => line.includes(' event.purge'))
    assert.deepEqual(actions, [
      `user:${admin.userId} event.purge-asked ${org}/shop`,
      `operator:server event.purge ${org}/shop`,
    ])
  })

  it('of organizations: opens for nobody, is found by its owner, and comes back with its members', async () => {
    const before = await harness.access.openOrg(owner, org, 'org:write')
    await assert.rejects(deleteOrganization(harness.deps, before, { confirmSlug: 'acme' }), InvalidInput)
    const shop = await deleteShop()
    const id = await deleteAll()
    for (const viewer of [owner, admin, operatorViewer])
      await assert.rejects(harness.access.openOrg(viewer, org, 'org:read'), is('not-found'))
    const again = await harness.signIn(owner.email, 'correct horse')
    assert.deepEqual(again?.memberships, [])
    assert.deepEqual(await slugs(), [])
    await assert.rejects(createOrganization(harness.deps, operatorViewer, { slug: org }), InvalidInput)
    assert.deepEqual(await ensureOwner(harness.deps, { email: 'new@acme.test' }), { isNew: false })
    // A project that was deleted before waits for its organization.
    await assert.rejects(restoreDeleted(harness.deps, owner, { id: shop }), is('not-found'))
    assert.equal((await restoreDeleted(harness.deps, again ?? owner, { id })).orgSlug, org)
    assert.deepEqual(await harness.access.openOrg(owner, org, 'org:write'), before)
    assert.deepEqual(await slugs(), ['site'])
    await restoreDeleted(harness.deps, owner, { id: shop })
    assert.deepEqual(await slugs(), ['shop', 'site'])
  })

  it('of organizations: goes for good with its projects, also when the sweep was stopped in between', async () => {
    await deleteAll()
    const stop = new AbortController()
    const { nowMs } = later
    let looks = 0
    // Stopped after its first project.
    const clock = {
      ...harness.clock,
      nowMs: () => {
        if (++looks === 3) stop.abort()
        return nowMs()
      },
    }
    await sweepRecentlyDeleted({ records: harness.db, clock, signal: stop.signal })
    assert.equal((await harness.db.selectFrom('project').select('id').execute()).length, 1)
    await sweep(later)
    for (const table of ['project', 'organization', 'member', 'recently_deleted'] as const)
      assert.deepEqual(await harness.db.selectFrom(table).selectAll().execute(), [], table)
    assert.equal((await harness.db.selectFrom('deletion').select('id').execute()).length >= 2, true)
    assert.ok((await harness.audit()).includes(`operator:server organization.purge ${org}`))
  })
})
