/** While a project is held no process begins a batch of it, and only batches of it are waited for. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { nowMs, writeTransaction } from '@sonde/stores'
import { openTestRecords } from '../../../../tests/harness/engines.ts'
import { markInflight, moveTo, readPosition } from '../../src/commit/pipeline-state.ts'
import { holdProject, isAnyHeld, type ProjectHold } from '../../src/commit/project-holds.ts'

const [HELD, OTHER] = [1, 2]
const never = new AbortController().signal

describe('a project that is held', () => {
  let stores: Awaited<ReturnType<typeof openTestRecords>>
  const mark = (partition: number, projectId: number) =>
    markInflight(stores.records, { partition, from: 1, to: 5 }, new Map(), new Set([projectId]))
  const isHeld = (...projectIds: number[]) =>
    writeTransaction(stores.records, (tx) => isAnyHeld(tx, new Set(projectIds)))
  const isOurs = (hold: ProjectHold) => writeTransaction(stores.records, (tx) => hold.isOurs(tx))

  before(async () => {
    stores = await openTestRecords()
    const org = { id: 1, slug: 'a', name: 'a', created_ms: 0 }
    await stores.records.insertInto('organization').values(org).execute()
    for (const id of [HELD, OTHER])
      await stores.records
        .insertInto('project')
        .values({ id, org_id: 1, slug: `p${id}`, name: 'p', platform: 'node', created_ms: 0 })
        .execute()
  })
  after(() => stores.close())
  beforeEach(async () => {
    await stores.records.deleteFrom('pipeline_state').execute()
    for (const partition of [0, 1]) await readPosition(stores.records, partition, 1)
  })

  it('is so at once while only batches of others are in flight, and lets those of others begin', async () => {
    await mark(0, OTHER)
    const hold = await holdProject(stores.records, HELD, never)
    assert.ok(hold)
    assert.equal(await isHeld(OTHER), false)
    assert.equal(await isHeld(OTHER, HELD), true)
    assert.equal(await holdProject(stores.records, HELD, never), undefined, 'by one at a time')
    await hold.release()
    assert.equal(await isHeld(HELD), false)
  })

  for (const [what, noted] of [
    ['of it', true],
    ['that an earlier version began', false],
  ] as const)
    it(`waits for a batch ${what}`, async () => {
      await mark(1, HELD)
      if (!noted)
        await stores.records.updateTable('pipeline_state').set({ inflight_projects: null }).execute()
      let isDone = false
      const holding = holdProject(stores.records, HELD, never).then((hold) => {
        isDone = true
        return hold
      })
      while (!(await isHeld(HELD)));
      assert.equal(isDone, false)
      await moveTo(stores.records, 1, 5)
      const hold = await holding
      assert.ok(hold && (await isOurs(hold)))
      await hold.release()
    })

  it('is given up when such a batch does not end in time', async () => {
    await mark(0, HELD)
    assert.equal(await holdProject(stores.records, HELD, AbortSignal.timeout(50)), undefined)
    assert.equal(await isHeld(HELD), false)
  })

  it('is free when the time of its owner is over, and that one notices', async () => {
    const hold = await holdProject(stores.records, HELD, never)
    assert.ok(hold)
    await stores.records
      .updateTable('project_hold')
      .set({ until_ms: nowMs(-1) })
      .execute()
    assert.equal(await isOurs(hold), false)
    assert.equal(await isHeld(HELD), false)
    assert.deepEqual(await stores.records.selectFrom('project_hold').selectAll().execute(), [])
    const next = await holdProject(stores.records, HELD, never)
    await hold.release()
    assert.ok(next && (await isOurs(next)))
    await next.release()
  })
})
