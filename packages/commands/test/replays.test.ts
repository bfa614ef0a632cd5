/** A replay is deleted by a person's hand, and so is what its page still sends. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { deleteReplay, ensureProject, viewReplay } from '@sonde/commands'
import { sweepDeletedReplays } from '../src/deletion/sweep-deleted-replays.ts'
import { sweepReplays } from '../src/deletion/sweep-replays.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const REPLAY = 'ab'.repeat(16)
const HOUR_MS = 3_600_000

describe('replays', () => {
  let harness: Harness
  let shop: number
  let position = 0
  const deletedRows: unknown[] = []
  before(async () => {
    harness = await openHarness()
    shop = (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })).id
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'other' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
  })
  after(() => harness.close())

  const record = (segment: number) =>
    harness.db
      .insertInto('replay_segment')
      .values({
        project_id: shop,
        replay_id: REPLAY,
        segment_id: segment,
        bytes: 1,
        raw_bytes: 2,
        started_ms: NOW_MS,
        finished_ms: NOW_MS,
        blob: `replays/${segment}`,
        log_partition: 0,
        log_position: ++position,
        item_index: 0,
        created_ms: NOW_MS,
        ...(segment === 1 && { video_blob: 'replays/1-video', video_type: 'video/mp4', video_bytes: 9 }),
      })
      .execute()
  const remove = async (viewer: Viewer, replayId = REPLAY, project = 'shop') =>
    deleteReplay(harness.deps, await harness.access.openProject(viewer, 'acme', project, 'event:delete'), {
      replayId,
    })
  const sweep = (nowMs: number) =>
    sweepDeletedReplays({
      records: harness.db,
      telemetry: { deleteRows: async (table, _where, params) => deletedRows.push([table, params]) },
      clock: { nowMs: () => nowMs },
      signal: new AbortController().signal,
    })
  const garbage = async () =>
    (await harness.db.selectFrom('blob_garbage').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    )
  const pending = () => harness.db.selectFrom('replay_deletion').selectAll().execute()

  it('are deleted by who may delete events, within their own project, and it is written down', async () => {
    await record(0)
    await record(1)
    const kinds: [Viewer, string, string, string][] = [
      [await harness.viewer('acme', 'member'), REPLAY, 'shop', 'forbidden'],
      [await harness.viewer('rival', 'owner'), REPLAY, 'shop', 'not-found'],
      [operatorViewer, REPLAY, 'other', 'not-found'],
      [operatorViewer, 'f'.repeat(32), 'shop', 'not-found'],
      [operatorViewer, "' OR 1=1", 'shop', 'invalid'],
    ]
    for (const [viewer, id, project, kind] of kinds)
      await assert.rejects(remove(viewer, id, project), (error: SondeError) => error.kind === kind, kind)
    assert.deepEqual(await garbage(), [])
    const views = () => harness.db.selectFrom('replay_view').select(['user_id', 'at_ms']).execute()
    const look = async (viewer: Viewer, replayId = REPLAY) =>
      viewReplay(harness.deps, await harness.access.openProject(viewer, 'acme', 'shop', 'event:read'), {
        replayId,
      })
    const ada = await harness.viewer('acme', 'member')
    assert.deepEqual(
      [await look(ada), await look(ada), await look(operatorViewer), await look(ada, 'f'.repeat(32))],
      [true, true, false, false],
    )
    assert.deepEqual(await views(), [{ user_id: ada.userId, at_ms: NOW_MS }])
    await remove(await harness.viewer('acme', 'admin'))
    assert.deepEqual(await views(), [])
    assert.deepEqual(await garbage(), ['replays/0', 'replays/1', 'replays/1-video'])
    assert.equal((await pending()).length, 1)
    assert.ok((await harness.audit()).some((line) => line.endsWith(`replay.delete acme/shop/${REPLAY}`)))
    await assert.rejects(remove(operatorViewer), (error: SondeError) => error.kind === 'not-found')
  })

  it('what comes later goes too, and after some hours nothing is remembered', async () => {
    await sweep(NOW_MS)
    assert.deepEqual(deletedRows, [['replays', { project: shop, replay: REPLAY }]])
    await sweep(NOW_MS + HOUR_MS)
    assert.equal(deletedRows.length, 1, 'nothing came')
    await record(2)
    await sweep(NOW_MS + HOUR_MS)
    assert.equal(deletedRows.length, 2)
    assert.deepEqual(await garbage(), ['replays/0', 'replays/1', 'replays/1-video', 'replays/2'])
    await sweep(NOW_MS + 4 * HOUR_MS)
    assert.deepEqual(await pending(), [])
  })

  it('end after their days, with videos and who saw them, and after those of all data where these are fewer', async () => {
    const ada = await harness.viewer('acme', 'member')
    await harness.db.deleteFrom('blob_garbage').execute()
    await harness.db.deleteFrom('replay_segment').execute()
    deletedRows.length = 0
    const expire = (nowMs: number, [retentionDays, replayRetentionDays]: readonly [number, number?]) =>
      sweepReplays({
        records: harness.db,
        telemetry: { deleteRows: async (table, _where, params) => deletedRows.push([table, params]) },
        clock: { nowMs: () => nowMs },
        retentionDays,
        ...(replayRetentionDays !== undefined && { replayRetentionDays }),
        signal: new AbortController().signal,
      })
    const left = async () => [
      (await harness.db.selectFrom('replay_segment').select('blob').execute()).map(({ blob }) => blob),
      (await harness.db.selectFrom('replay_view').select('user_id').execute()).length,
    ]
    const retentions: (readonly [number, number?])[] = [[30, 7], [7, 30], [7]]
    for (const retention of retentions) {
      await harness.db.deleteFrom('blob_garbage').execute()
      await record(1)
      const shopGrant = await harness.access.openProject(ada, 'acme', 'shop', 'event:read')
      assert.equal(await viewReplay(harness.deps, shopGrant, { replayId: REPLAY }), true)
      await expire(NOW_MS + 7 * 24 * HOUR_MS, retention)
      assert.deepEqual(await left(), [['replays/1'], 1], 'not older yet')
      await expire(NOW_MS + 7 * 24 * HOUR_MS + 1, retention)
      assert.deepEqual(await left(), [[], 0])
      assert.deepEqual(await garbage(), ['replays/1', 'replays/1-video'])
    }
    assert.deepEqual(
      deletedRows,
      Array.from({ length: 3 }, () => ['replays', { before: (NOW_MS + 1) / 1000 }]),
    )
  })
})
