import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, requireAlso, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { ensureProject, createToken, InvalidInput, reprocessEvents } from '@sonde/commands'
import { type House, openHouse } from './house.ts'

let house: House
const SHOP = { org: 'acme', project: 'shop' }

const rows = () => house.db.selectFrom('repair').selectAll().orderBy('id').execute()

describe('reprocess events', () => {
  before(async () => {
    house = await openHouse()
    await ensureProject(house.deps, operatorViewer, { org: 'acme', slug: 'shop' })
  })

  after(() => house.close())

  it('is noted with its target, wakes who reprocesses, and is in the audit', async () => {
    let woken = 0
    const deps = { ...house.deps, onArtifacts: () => woken++ }
    const { id, isNew } = await reprocessEvents(
      deps,
      await deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, release: ' shop@1 ' },
    )
    assert.ok(isNew)
    const [row] = await rows()
    const project = await house.db.selectFrom('project').select('id').executeTakeFirstOrThrow()
    assert.deepEqual(
      [row?.id, row?.cause, row?.finished_ms, JSON.parse(row?.target ?? '')],
      [id, 'asked', null, { debugIds: [], projectIds: [project.id], release: 'shop@1' }],
    )
    assert.equal(woken, 1)
    assert.ok((await house.audit()).at(-1)?.endsWith('artifacts.repair_asked acme/shop'))
  })

  it('asked again before it began it is the same; afterwards, or for another release, another', async () => {
    const first = await reprocessEvents(
      house.deps,
      await house.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
      {},
    )
    assert.deepEqual(
      await reprocessEvents(
        house.deps,
        await house.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
        {},
      ),
      { id: first.id, isNew: false },
    )
    assert.ok(
      (
        await reprocessEvents(
          house.deps,
          await house.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
          { ...SHOP, release: 'shop@2' },
        )
      ).isNew,
    )
    await house.db.updateTable('repair').set({ started_ms: 1 }).where('id', '=', first.id).execute()
    assert.ok(
      (
        await reprocessEvents(
          house.deps,
          await house.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
          {},
        )
      ).isNew,
    )
  })

  it('who may upload may ask; others may not', async () => {
    const token = async (scope: string): Promise<Viewer> => {
      const made = await createToken(
        house.deps,
        await house.deps.access.openOrg(operatorViewer, 'acme', 'token:write'),
        { name: scope, scopes: [scope] },
      )
      const viewer = await house.access.viewerFromToken(made.token)
      assert.ok(viewer)
      return viewer
    }
    const may = async (viewer: Viewer): Promise<boolean> => {
      try {
        await reprocessEvents(
          house.deps,
          requireAlso(
            await house.access.openProject(viewer, 'acme', 'shop', 'project:read'),
            'release:write',
            'project:write',
          ),
          {},
        )
        return true
      } catch (error) {
        assert.ok(error instanceof SondeError && error.kind === 'forbidden', String(error))
        return false
      }
    }
    assert.deepEqual(
      [
        await may(await token('project:releases')),
        await may(await token('org:ci')),
        await may(await token('project:admin')),
        await may(await token('project:read')),
        await may(await house.viewer('acme', 'member')),
        await may(await house.viewer('acme', 'viewer')),
      ],
      [true, true, true, false, true, false],
    )
  })

  it('an endless release is refused', async () => {
    await assert.rejects(
      house.deps.access
        .openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => reprocessEvents(house.deps, grant, { ...SHOP, release: 'x'.repeat(300) })),
      InvalidInput,
    )
  })
})
