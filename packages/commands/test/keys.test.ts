import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { createKey, ensureProject, deleteKey, InvalidInput, rotateKey, updateKey } from '@sonde/commands'
import { type ProjectKeyRow, projectKeys } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const SHOP = { org: 'acme', project: 'shop' }
const HOUR_MS = 3_600_000

describe('client keys', () => {
  let harness: Harness
  let owner: UserViewer
  before(async () => {
    harness = await openHarness()
    for (const slug of ['shop', 'other'])
      await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })
    owner = await harness.viewer('acme', 'owner')
  })
  after(() => harness.close())

  const keys = async (): Promise<readonly ProjectKeyRow[]> => {
    const scope = await harness.access.openProject(owner, 'acme', 'shop', 'project:read')
    const { db: records, clock } = harness
    return projectKeys({ records, clock, publicUrl: 'http://sonde.test' }, scope)
  }
  const key = async (id: number): Promise<ProjectKeyRow | undefined> =>
    (await keys()).find((row) => row.id === id)

  it('name, limit and state change each on its own', async () => {
    const { id } = await createKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, label: 'Web' },
    )
    const keyId = id
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId, rateLimit: { count: 10, windowSec: 60 } },
    )
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId, label: 'Browser' },
    )
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId, isActive: false },
    )
    const row = await key(id)
    assert.deepEqual(
      [row?.label, row?.rateLimit, row?.isActive],
      ['Browser', { count: 10, windowSec: 60 }, false],
    )
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId, rateLimit: null },
    )
    assert.equal((await key(id))?.rateLimit, undefined)
  })

  it('rotating without grace ends the old key now; the new one has its label and limit', async () => {
    const { id } = await createKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, label: 'CI' },
    )
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId: id, rateLimit: { count: 5, windowSec: 1 } },
    )
    const made = await rotateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId: id },
    )
    assert.equal(made.oldActiveUntilMs, undefined)
    assert.equal((await key(id))?.isActive, false)
    const fresh = await key(made.id)
    assert.deepEqual(
      [fresh?.label, fresh?.rateLimit, fresh?.isActive],
      ['CI', { count: 5, windowSec: 1 }, true],
    )
    assert.match(made.publicKey, /^[0-9a-f]{32}$/)
  })

  it('rotating with grace lets both work until then, and the old one can be kept after all', async () => {
    const { id } = await createKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, label: 'App' },
    )
    const made = await rotateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId: id, graceHours: 24 },
    )
    assert.equal(made.oldActiveUntilMs, NOW_MS + 24 * HOUR_MS)
    const states = async () => [(await key(id))?.isActive, (await key(made.id))?.isActive]
    assert.deepEqual(await states(), [true, true])
    harness.clock.advance(24 * HOUR_MS)
    assert.deepEqual(await states(), [false, true])
    await updateKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId: id, isActive: true },
    )
    assert.deepEqual([await states(), (await key(id))?.activeUntilMs], [[true, true], undefined])
  })

  it('a deleted key is gone; one of another project is not found', async () => {
    const { id } = await createKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, label: 'Old' },
    )
    const elsewhere = await harness.access.openProject(owner, 'acme', 'other', 'project:write')
    for (const attempt of [deleteKey, updateKey, rotateKey]) {
      await assert.rejects(
        attempt(harness.deps, elsewhere, { keyId: id }),
        (error: SondeError) => error.kind === 'not-found',
      )
    }
    await deleteKey(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, keyId: id },
    )
    assert.equal(await key(id), undefined)
  })

  it('a wrong number of hours and a wrong limit are named', async () => {
    const [{ id: keyId } = { id: 0 }] = await keys()
    for (const graceHours of [-1, 10_000, Number.NaN]) {
      await assert.rejects(
        harness.deps.access
          .openProject(owner, SHOP.org, SHOP.project, 'project:write')
          .then((grant) => rotateKey(harness.deps, grant, { ...SHOP, keyId, graceHours })),
        (error) => {
          assert.ok(error instanceof InvalidInput)
          assert.ok(error.fields['graceHours'])
          return true
        },
      )
    }
    const rateLimit = { count: 1, windowSec: 32 * 24 * 3600 }
    await assert.rejects(
      harness.deps.access
        .openProject(owner, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => updateKey(harness.deps, grant, { ...SHOP, keyId, rateLimit })),
      InvalidInput,
    )
  })

  it('each change is in the audit, with the key', async () => {
    const actions = (await harness.audit()).map((entry) => entry.split(' ').slice(1).join(' '))
    for (const action of ['key.update acme/shop', 'key.rotate acme/shop', 'key.delete acme/shop']) {
      assert.ok(actions.includes(action), action)
    }
  })
})
