/** Dead letters for people: who sent them, what is in them, and an end for those that are not worth keeping. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deadContent } from '../../src/commit/dead-letters.ts'
import { deadLetters } from '../../src/index.ts'
import { openHarness, until, type Harness } from '../commit/harness.ts'

describe('dead letters', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    const project = await harness.createProject('dead')
    for (const text of ['no envelope at all', 'x'.repeat(100_000)])
      await harness.append(project, text, { client: 'sentry.python/2.39.0', receivedMs: 1_790_000_000_000 })
    const pipeline = await harness.start()
    await until(() => pipeline.state().dead === 2, 'both are dead')
    await pipeline.stop()
  })
  after(() => harness.close())

  it('say who sent them and how large they are', async () => {
    const [large, small] = await deadLetters(harness).list()
    assert.deepEqual(
      [small?.sdk, small?.reason, small?.itemType],
      ['sentry.python/2.39.0', 'envelope_unreadable', 'envelope'],
    )
    assert.ok((large?.bytes ?? 0) > 100_000 && (small?.bytes ?? 0) < 300)
  })

  it('can be looked at, as far as they can be read', async () => {
    const dead = deadLetters(harness)
    const [large, small] = await dead.list()
    const found = await dead.look(small?.id ?? 0)
    assert.equal(found?.text, 'no envelope at all')
    assert.deepEqual([found?.isKept, found?.isCut, found?.receivedMs], [true, false, 1_790_000_000_000])
    const cut = await dead.look(large?.id ?? 0)
    assert.deepEqual([cut?.isCut, cut?.text.length], [true, 64 * 1024])
    assert.equal(await dead.look(4711), undefined)
    for (const bytes of [Buffer.alloc(0), Buffer.from('{"v":9}\n'), Buffer.from([0xff, 0x0a, 0xff])])
      assert.equal(deadContent(bytes, 0).isKept, true)
  })

  it('that are discarded lose their bytes, wait no more and cannot be replayed', async () => {
    const dead = deadLetters(harness)
    const id = (await dead.list()).at(-1)?.id ?? 0
    await dead.discard(id)
    await dead.discard(id)
    assert.equal(await dead.waiting(), 1)
    assert.deepEqual(
      (await dead.list({ waitingOnly: true })).map((letter) => letter.id),
      [id + 1],
    )
    const found = await dead.look(id)
    assert.deepEqual([found?.isKept, typeof found?.discardedMs], [false, 'number'])
    await assert.rejects(
      dead.replay(id, () => Promise.resolve()),
      /its bytes are gone/,
    )
    await assert.rejects(dead.discard(4711), { kind: 'not-found' })
  })

  it('of one record keep its bytes until the last of them is discarded', async () => {
    await harness.blobs.put('dead/shared', Buffer.from('x'))
    const row = {
      project_id: 1,
      log_position: 999_999,
      item_type: 'event',
      reason: 'digest_error',
      detail: '',
    }
    const rows = [0, 1].map((index) => ({
      ...row,
      item_index: index,
      blob: 'dead/shared',
      created_ms: 0,
      replayed_ms: null,
    }))
    const ids = await harness.records.insertInto('dead_letter').values(rows).returning('id').execute()
    const dead = deadLetters(harness)
    await dead.discard(ids[0]?.id ?? 0)
    assert.equal((await dead.look(ids[1]?.id ?? 0))?.isKept, true)
    await dead.discard(ids[1]?.id ?? 0)
    assert.equal(await harness.blobs.get('dead/shared'), undefined)
  })
})
