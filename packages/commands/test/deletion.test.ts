/** A deleted project that nobody may restore any more: its records at once, its rows and blobs soon, nothing of anybody else's. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { silentLogger, type SondeError } from '@sonde/base'
import { ensureProject, deleteProject, InvalidInput, purgeDeleted, startDeletions } from '@sonde/commands'
import { type Blobs, encodeOutcomeRow, openTelemetry, type Telemetry } from '@sonde/stores'
import { openTestBlobs } from '../../../tests/harness/engines.ts'
import { sweepRecentlyDeleted } from '../src/deletion/sweep-recently-deleted.ts'
import { attachmentRow } from './attachment-row.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const BLOB = 'dead/7'
const filmedRow = (project_id: number, position: number, blob: string) => ({
  project_id,
  replay_id: 'ab'.repeat(16),
  segment_id: 0,
  bytes: 1,
  raw_bytes: 1,
  started_ms: NOW_MS,
  finished_ms: NOW_MS,
  blob,
  log_partition: 0,
  log_position: position,
  item_index: 9,
  created_ms: NOW_MS,
  video_blob: `${blob}-video`,
})
const TARGET = { org: 'acme', project: 'shop', confirmSlug: 'shop' }

describe('a deleted project', () => {
  let dir: string
  let harness: Harness
  let telemetry: Telemetry
  let blobs: Blobs
  let owner: UserViewer
  let shop: number
  let kept: number
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sonde-deletion-'))
    harness = await openHarness()
    telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger: silentLogger })
    blobs = await openTestBlobs(dir)
    const make = async (slug: string): Promise<number> =>
      (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })).id
    ;[shop, kept] = [await make('shop'), await make('kept')]
    owner = await harness.viewer('acme', 'owner')
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
    for (const projectId of [shop, kept]) {
      for (const table of ['events', 'event_index']) {
        await telemetry.command(
          `INSERT INTO ${table} (project_id, issue_id, event_id, timestamp, received)
           SELECT {project:UInt32}, number, toFixedString(lower(hex(MD5(toString(number)))), 32), now(), now() - number % 20 * 86400
           FROM numbers(500)`,
          { project: projectId },
        )
      }
      const counted = { atMs: Date.now(), keyId: 1, category: 'error', outcome: 'accepted', reason: '' }
      await telemetry.insert(
        'outcomes',
        [encodeOutcomeRow({ ...counted, projectId, quantity: 5 })],
        `o${projectId}`,
      )
      await harness.issues(projectId, 1)
    }
    await blobs.put(BLOB, new Uint8Array([1]))
    await harness.db
      .insertInto('dead_letter')
      .values({
        project_id: shop,
        log_position: 7,
        item_index: 0,
        item_type: 'event',
        reason: 'digest_error',
        detail: '',
        blob: BLOB,
        created_ms: NOW_MS,
        replayed_ms: null,
      })
      .execute()
    for (const [position, project] of [shop, shop, kept].entries()) {
      const blob = `attachments/${project}/a`
      await blobs.put(blob, new Uint8Array([2]))
      await harness.db
        .insertInto('attachment')
        .values(attachmentRow(project, position, blob))
        .execute()
    }
    for (const [position, project] of [shop, kept].entries()) {
      const blob = `replays/${project}/a`
      for (const name of [blob, `${blob}-video`]) await blobs.put(name, new Uint8Array([3]))
      await harness.db
        .insertInto('replay_segment')
        .values(filmedRow(project, position, blob))
        .execute()
    }
    // A batch is on its way to telemetry.
    await harness.db
      .insertInto('pipeline_state')
      .values([
        { name: 'pipeline', log_partition: 0, position: 100, inflight_from: 100, inflight_to: 200 },
        { name: 'pipeline', log_partition: 1, position: 5, inflight_from: 5, inflight_to: 30 },
      ])
      .execute()
  })
  after(async () => {
    await telemetry.close()
    await harness.close()
    await rm(dir, { recursive: true, force: true })
  })

  const rows = async (table: string, project: number): Promise<number> => {
    const sql = `SELECT count() AS n FROM ${table} WHERE project_id = {project:UInt32}`
    return (await telemetry.query<{ n: number }>(sql, { project }))[0]?.n ?? -1
  }
  const start = () =>
    startDeletions({
      records: harness.db,
      telemetry,
      blobs,
      clock: harness.clock,
      logger: silentLogger,
      retentionDays: 90,
      artifactRetentionDays: 90,
      auditRetentionDays: 730,
    })
  const deletions = () => harness.db.selectFrom('deletion').selectAll().orderBy('log_partition').execute()
  const finished = async (): Promise<boolean> =>
    (await deletions()).every(({ finished_ms: endedMs }) => endedMs !== null)

  it('only by an owner, and only with its slug typed', async () => {
    const admin = await harness.viewer('acme', 'admin')
    const rejects = (viewer: UserViewer, input: typeof TARGET, kind: string) =>
      assert.rejects(
        harness.access.openProject(viewer, input.org, input.project, 'project:delete'),
        (error: SondeError) => error.kind === kind,
      )
    await rejects(admin, TARGET, 'forbidden')
    await rejects(await harness.viewer('rival', 'owner'), TARGET, 'not-found')
    await assert.rejects(
      harness.deps.access
        .openProject(owner, TARGET.org, TARGET.project, 'project:delete')
        .then((grant) => deleteProject(harness.deps, grant, { ...TARGET, confirmSlug: 'Shop' })),
      (error) => {
        assert.ok(error instanceof InvalidInput)
        assert.deepEqual(error.fields, { confirmSlug: ['type shop to delete it'] })
        return true
      },
    )
    assert.equal(await rows('events', shop), 500)
  })

  it('takes its records along in one transaction', async () => {
    let woken = 0
    const { deletedId } = await deleteProject(
      harness.deps,
      await harness.access.openProject(owner, TARGET.org, TARGET.project, 'project:delete'),
      TARGET,
    )
    await purgeDeleted({ ...harness.deps, onDeletion: () => woken++ }, owner, { id: deletedId })
    assert.equal(woken, 1)
    const { signal } = new AbortController()
    await sweepRecentlyDeleted({ records: harness.db, clock: harness.clock, signal })
    for (const table of ['issue', 'project_key', 'dead_letter', 'attachment'] as const) {
      const left = await harness.db.selectFrom(table).select('id').where('project_id', '=', shop).execute()
      assert.deepEqual(left, [], table)
    }
    assert.equal((await harness.db.selectFrom('issue').selectAll().execute()).length, 1)
    assert.ok((await harness.audit()).includes(`user:${owner.userId} project.delete acme/shop`))
    await assert.rejects(
      harness.deps.access
        .openProject(owner, TARGET.org, TARGET.project, 'project:delete')
        .then((grant) => deleteProject(harness.deps, grant, TARGET)),
      (error: SondeError) => error.kind === 'not-found',
    )
  })

  it('keeps its rows until the batch in flight is through, and then loses them, also over a restart', async () => {
    const first = start()
    await first.stop()
    assert.equal(await rows('events', shop), 500)

    await harness.db
      .updateTable('pipeline_state')
      .set({ position: 200, inflight_from: null, inflight_to: null })
      .where('log_partition', '=', 0)
      .execute()
    // The other partition of the log has not come so far, and its batch may hold events of the project.
    const waiting = start()
    await waiting.stop()
    assert.deepEqual(
      (await deletions()).map((row) => [row.log_partition, row.after_position]),
      [
        [0, 200],
        [1, 30],
      ],
    )
    assert.equal(await finished(), false)
    await harness.db
      .updateTable('pipeline_state')
      .set({ position: 30, inflight_from: null, inflight_to: null })
      .where('log_partition', '=', 1)
      .execute()
    // Stopped after its first step: the next one goes on.
    await start().stop()
    const last = start()
    const endMs = Date.now() + 20_000
    while (!(await finished())) {
      assert.ok(Date.now() < endMs, 'it ends within 20 seconds')
      last.wake()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await last.stop()
    for (const table of ['events', 'event_index', 'outcomes']) {
      assert.equal(await rows(table, shop), 0, table)
      assert.equal(await rows(table, kept), table === 'outcomes' ? 1 : 500, table)
    }
    assert.equal(await blobs.get(BLOB), undefined)
    assert.equal(await blobs.get(`attachments/${shop}/a`), undefined)
    assert.equal((await blobs.get(`attachments/${kept}/a`))?.length, 1)
    for (const name of ['a', 'a-video']) {
      assert.equal(await blobs.get(`replays/${shop}/${name}`), undefined, name)
      assert.equal((await blobs.get(`replays/${kept}/${name}`))?.length, 1, name)
    }
    assert.deepEqual(await harness.db.selectFrom('blob_garbage').selectAll().execute(), [])
  })
})
