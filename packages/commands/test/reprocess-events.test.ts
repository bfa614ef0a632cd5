import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, requireAlso, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { ensureProject, createToken, InvalidInput, reprocessEvents } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

let harness: Harness
const SHOP = { org: 'acme', project: 'shop' }

const rows = () => harness.db.selectFrom('repair').selectAll().orderBy('id').execute()

describe('reprocess events', () => {
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
  })

  after(() => harness.close())

  it('is noted with its target, wakes who reprocesses, and is in the audit', async () => {
    let woken = 0
    const deps = { ...harness.deps, onArtifacts: () => woken++ }
    const { id, isNew } = await reprocessEvents(
      deps,
      await deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, release: ' shop@1 ' },
    )
    assert.ok(isNew)
    const [row] = await rows()
    const project = await harness.db.selectFrom('project').select('id').executeTakeFirstOrThrow()
    assert.deepEqual(
      [row?.id, row?.cause, row?.finished_ms, JSON.parse(row?.target ?? '')],
      [id, 'asked', null, { debugIds: [], projectIds: [project.id], release: 'shop@1' }],
    )
    assert.equal(woken, 1)
    assert.ok((await harness.audit()).at(-1)?.endsWith('artifacts.repair_asked acme/shop'))
  })

  it('asked again before it began it is the same; afterwards, or for another release, another', async () => {
    const first = await reprocessEvents(
      harness.deps,
      await harness.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
      {},
    )
    assert.deepEqual(
      await reprocessEvents(
        harness.deps,
        await harness.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
        {},
      ),
      { id: first.id, isNew: false },
    )
    assert.ok(
      (
        await reprocessEvents(
          harness.deps,
          await harness.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
          { ...SHOP, release: 'shop@2' },
        )
      ).isNew,
    )
    await harness.db.updateTable('repair').set({ started_ms: 1 }).where('id', '=', first.id).execute()
    assert.ok(
      (
        await reprocessEvents(
          harness.deps,
          await harness.deps.access.openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write'),
          {},
        )
      ).isNew,
    )
  })

  it('who may upload may ask; others may not', async () => {
    const token = async (scope: string): Promise<Viewer> => {
      const made = await createToken(
        harness.deps,
        await harness.deps.access.openOrg(operatorViewer, 'acme', 'token:write'),
        { name: scope, scopes: [scope] },
      )
      const viewer = await harness.access.viewerFromToken(made.token)
      assert.ok(viewer)
      return viewer
    }
    const may = async (viewer: Viewer): Promise<boolean> => {
      try {
        await reprocessEvents(
          harness.deps,
          requireAlso(
            await harness.access.openProject(viewer, 'acme', 'shop', 'project:read'),
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
        await may(await harness.viewer('acme', 'member')),
        await may(await harness.viewer('acme', 'viewer')),
      ],
      [true, true, true, false, true, false],
    )
  })

  it('an endless release is refused', async () => {
    await assert.rejects(
      harness.deps.access
        .openProject(operatorViewer, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => reprocessEvents(harness.deps, grant, { ...SHOP, release: 'x'.repeat(300) })),
      InvalidInput,
    )
  })
})
