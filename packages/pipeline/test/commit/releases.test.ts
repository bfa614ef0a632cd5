/** Releases come out of what is sent: real log, SQLite and chDB. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createReleaseMemory, type SeenRelease } from '../../src/commit/record-releases.ts'
import { errorEnvelope, openHarness, transactionEnvelope, until, type Harness } from './harness.ts'

describe('releases of what is stored', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const releases = () =>
    harness.records
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .innerJoin('project', 'project.id', 'release_project.project_id')
      .select([
        'version',
        'slug',
        'release_project.first_event_ms as first',
        'release_project.last_event_ms as last',
        'release.created_ms as created',
      ])
      .orderBy('version')
      .orderBy('slug')
      .execute()
  const at = (sec: number) => ({ timestamp: sec })

  it('are made once by errors and transactions, with the first and last time in each project', async (t) => {
    const nowSec = Math.floor(Date.now() / 1000)
    const shop = await harness.createProject('shop')
    const api = await harness.createProject('api')
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await harness.append(shop, errorEnvelope(1, 'Boom', { release: 'shop@1.0.0', ...at(nowSec - 3_600) }))
    await harness.append(shop, errorEnvelope(2, 'Boom', { release: 'shop@1.0.0', ...at(nowSec - 7_200) }))
    await harness.append(api, errorEnvelope(3, 'Boom', { release: 'shop@1.0.0', ...at(nowSec - 60) }))
    await harness.append(api, errorEnvelope(4, 'Boom', at(nowSec)))
    await harness.append(shop, errorEnvelope(5, 'Boom', { release: 'a/b' }))
    await harness.append(
      shop,
      transactionEnvelope(6).replace(
        '"type":"transaction","transaction"',
        '"type":"transaction","release":"shop@1.1.0","transaction"',
      ),
    )
    await until(() => pipeline.state().events === 5, 'five events are stored')
    await until(async () => (await releases()).length === 3, 'the transaction has made its release')
    const rows = await releases()
    assert.deepEqual(
      rows.map(({ version, slug, first, last }) => [version, slug, (last ?? 0) - (first ?? 0)]),
      [
        ['shop@1.0.0', 'api', 0],
        ['shop@1.0.0', 'shop', 3_600_000],
        ['shop@1.1.0', 'shop', 0],
      ],
    )
    assert.ok(rows.every(({ created, first }) => created <= (first ?? 0) + 7_200_000))
  })

  it('widen, also in a process that did not know them; what was said of them stays', async (t) => {
    const nowSec = Math.floor(Date.now() / 1000)
    const web = await harness.createProject('web')
    await harness.records
      .updateTable('release')
      .set({ status: 'archived' })
      .where('version', '=', 'shop@1.0.0')
      .execute()
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await harness.append(web, errorEnvelope(0x10, 'Boom', { release: 'shop@1.0.0', ...at(nowSec - 600) }))
    await until(() => pipeline.state().events === 1, 'the first is stored')
    await harness.append(web, errorEnvelope(0x11, 'Boom', { release: 'shop@1.0.0', ...at(nowSec) }))
    await harness.append(web, errorEnvelope(0x12, 'Boom', { release: 'shop@1.0.0', ...at(nowSec - 900) }))
    await until(() => pipeline.state().events === 3, 'three are stored')
    const row = (await releases()).find(({ slug }) => slug === 'web')
    assert.deepEqual([row?.first, row?.last], [(nowSec - 900) * 1000, nowSec * 1000])
    const kept = await harness.records
      .selectFrom('release')
      .select('status')
      .where('version', '=', 'shop@1.0.0')
      .execute()
    assert.deepEqual(kept, [{ status: 'archived' }])
  })
})

describe('what is remembered of releases', () => {
  const seen = (firstMs: number, lastMs: number, version = '1'): SeenRelease => ({
    projectId: 1,
    version,
    firstMs,
    lastMs,
    receivedMs: lastMs,
  })

  it('is written again only when a time moves by a minute', () => {
    const NOW_MS = 2_000_000
    const memory = createReleaseMemory()
    const first = [seen(1_000_000, 1_000_000)]
    assert.deepEqual(memory.unknown(first, NOW_MS), first)
    memory.remember(first, NOW_MS)
    assert.deepEqual(memory.unknown([seen(1_000_000, 1_059_999)], NOW_MS), [])
    assert.deepEqual(memory.unknown([seen(940_001, 1_000_000)], NOW_MS), [])
    for (const wider of [
      seen(940_000, 1_000_000),
      seen(1_000_000, 1_060_000),
      seen(1_000_000, 1_000_000, '2'),
    ])
      assert.deepEqual(memory.unknown([wider], NOW_MS), [wider])
    memory.remember([seen(1_060_000, 1_060_000)], NOW_MS)
    assert.deepEqual(memory.unknown([seen(1_000_000, 1_100_000)], NOW_MS), [])
    // Another process may have deleted it since.
    assert.deepEqual(memory.unknown(first, NOW_MS + 59_999), [])
    assert.deepEqual(memory.unknown(first, NOW_MS + 60_000), first)
  })
})
