/** Attachments end by a person's hand or by age; a file goes with the last row that names it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, deleteAttachment } from '@sonde/commands'
import type { Blobs } from '@sonde/stores'
import { openTestBlobs } from '../../../tests/harness/engines.ts'
import { sweepAttachments, sweepDeadLetters } from '../src/deletion/sweep-attachments.ts'
import { attachmentRow, EVENT_ID } from './attachment-row.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000

describe('attachments', () => {
  let dir: string
  let harness: Harness
  let blobs: Blobs
  let shop: number
  let positions = 0
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sonde-attachments-'))
    harness = await openHarness()
    blobs = await openTestBlobs(dir)
    shop = (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })).id
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'other' })
    await ensureProject(harness.deps, operatorViewer, { org: 'rival', slug: 'shop' })
  })
  after(async () => {
    await harness.close()
    await rm(dir, { recursive: true, force: true })
  })

  async function attach(blob: string, createdMs = NOW_MS): Promise<number> {
    await blobs.put(blob, new Uint8Array([1]))
    const values = attachmentRow(shop, ++positions, blob, createdMs)
    const row = await harness.db
      .insertInto('attachment')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const signal = new AbortController().signal
  const sweep = () =>
    sweepAttachments({ records: harness.db, blobs, clock: harness.clock, retentionDays: 30, signal })
  const exists = async (blob: string): Promise<boolean> => (await blobs.get(blob)) !== undefined
  const remove = async (viewer: Viewer, id: number, { project = 'shop', eventId = EVENT_ID } = {}) =>
    deleteAttachment(
      harness.deps,
      await harness.access.openProject(viewer, 'acme', project, 'event:delete'),
      {
        eventId,
        id,
      },
    )

  it('are deleted by who may delete events, within their own event and project', async () => {
    const id = await attach('one')
    const kinds: [Viewer, object, string][] = [
      [await harness.viewer('acme', 'member'), {}, 'forbidden'],
      [await harness.viewer('rival', 'owner'), {}, 'not-found'],
      [operatorViewer, { project: 'other' }, 'not-found'],
      [operatorViewer, { eventId: 'f'.repeat(32) }, 'not-found'],
      [operatorViewer, { eventId: 'x' }, 'invalid'],
    ]
    for (const [viewer, more, kind] of kinds)
      await assert.rejects(remove(viewer, id, more), (error: SondeError) => error.kind === kind, kind)
    await sweep()
    assert.ok(await exists('one'))
    await remove(await harness.viewer('acme', 'admin'), id)
    await sweep()
    assert.ok(!(await exists('one')))
    assert.ok(
      (await harness.audit()).some((line) => line.endsWith(`attachment.delete acme/shop/${EVENT_ID}`)),
    )
    await assert.rejects(remove(operatorViewer, id), (error: SondeError) => error.kind === 'not-found')
  })

  it('with equal content keep the file until the last one is gone', async () => {
    const [first, second] = [await attach('shared'), await attach('shared')]
    await remove(operatorViewer, first)
    await sweep()
    assert.ok(await exists('shared'))
    await remove(operatorViewer, second)
    await sweep()
    assert.ok(!(await exists('shared')))
  })

  it('go when they are older than events are kept', async () => {
    await attach('old', NOW_MS - 30 * DAY_MS - 1)
    await attach('young', NOW_MS - 30 * DAY_MS)
    // More than one transaction takes.
    const many = Array.from({ length: 600 }, () => attachmentRow(shop, ++positions, `files/${positions}`, 0))
    await harness.db.insertInto('attachment').values(many).execute()
    const last = many.at(-1)?.blob ?? ''
    await blobs.put(last, new Uint8Array())
    await sweep()
    assert.deepEqual([await exists('old'), await exists(last), await exists('young')], [false, false, true])
    const left = await harness.db.selectFrom('attachment').select('blob').execute()
    assert.deepEqual(left, [{ blob: 'young' }])
  })

  it('and so do dead letters, with the bytes of a record once its last one goes', async () => {
    const letter = (index: number, blob: string, createdMs: number) => ({
      project_id: shop,
      log_position: 1,
      item_index: index,
      item_type: 'event',
      reason: 'digest_error',
      detail: '',
      blob,
      created_ms: createdMs,
      replayed_ms: null,
    })
    const oldMs = NOW_MS - 31 * DAY_MS
    const letters = [
      letter(0, 'dead/both', oldMs),
      letter(1, 'dead/both', NOW_MS),
      letter(2, 'dead/old', oldMs),
    ]
    await harness.db.insertInto('dead_letter').values(letters).execute()
    for (const { blob } of letters) await blobs.put(blob, new Uint8Array([1]))
    await sweepDeadLetters({ records: harness.db, clock: harness.clock, retentionDays: 30, signal })
    await sweep()
    assert.deepEqual([await exists('dead/both'), await exists('dead/old')], [true, false])
    const left = await harness.db.selectFrom('dead_letter').select('item_index').execute()
    assert.deepEqual(left, [{ item_index: 1 }])
  })

  it('whose file is gone before its row of garbage was are no trouble', async () => {
    await harness.db.insertInto('blob_garbage').values({ name: 'never/there', since_ms: 0 }).execute()
    await sweep()
    assert.deepEqual(await harness.db.selectFrom('blob_garbage').selectAll().execute(), [])
  })
})
