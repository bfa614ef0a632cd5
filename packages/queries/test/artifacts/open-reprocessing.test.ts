import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReprocessing } from '@sonde/queries'
import type { ReprocessingTarget } from '@sonde/stores'
import { openHarness, NOW_MS } from '../harness.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'

test('an event is being reprocessed when an open reprocessing run is for its debug ids, or for its release in its project', async (t) => {
  const harness = await openHarness()
  t.after(() => harness.close())
  const acme = await harness.org('acme')
  const shop = await harness.project(acme, 'shop')
  const api = await harness.project(acme, 'api')
  const other = await harness.project(await harness.org('other'), 'shop')
  const reprocessing = (orgId: number, target: ReprocessingTarget, finishedMs: number | null = null) =>
    harness.db
      .insertInto('repair')
      .values({
        org_id: orgId,
        cause: 'upload',
        actor: 'operator',
        target: JSON.stringify(target),
        requested_ms: NOW_MS,
        started_ms: null,
        finished_ms: finishedMs,
      })
      .execute()
  const none = { debugIds: [], release: undefined }
  await reprocessing(acme.orgId, { debugIds: [ID], projectIds: [] }, NOW_MS)
  const byId = { debugIds: [ID.replaceAll('-', '').toUpperCase()], release: undefined }
  assert.equal(await openReprocessing(harness.deps, shop, byId), undefined)

  await reprocessing(acme.orgId, { debugIds: [ID], projectIds: [] })
  assert.deepEqual(await openReprocessing(harness.deps, shop, byId), {
    requestedMs: NOW_MS,
    isRunning: false,
    trouble: '',
  })
  assert.equal(await openReprocessing(harness.deps, other, byId), undefined)
  assert.equal(await openReprocessing(harness.deps, shop, none), undefined)

  await reprocessing(acme.orgId, { debugIds: [], projectIds: [shop.projectId], release: 'shop@1' })
  const byRelease = { debugIds: [], release: 'shop@1' }
  assert.ok(await openReprocessing(harness.deps, shop, byRelease))
  assert.equal(await openReprocessing(harness.deps, api, byRelease), undefined)
  assert.equal(await openReprocessing(harness.deps, shop, { debugIds: [], release: 'shop@2' }), undefined)
  await reprocessing(acme.orgId, { debugIds: [], projectIds: [api.projectId] })
  assert.equal(await openReprocessing(harness.deps, shop, none), undefined)
  assert.ok(await openReprocessing(harness.deps, api, none))
})
