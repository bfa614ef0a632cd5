/** The marks of a disk: who is told, what goes first, and what stays. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { silentLogger } from '@sonde/base'
import { ensureProject, measureStorage, watchDisk } from '@sonde/commands'
import { type Blobs, type DiskWatchState, readStorageState, type Telemetry } from '@sonde/stores'
import { openTestBlobs, openTestTelemetry } from '../../../tests/harness/engines.ts'
import { attachmentRow } from './attachment-row.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
// A Saturday: five whole days of its week are over.
const TODAY = NOW_MS - (NOW_MS % DAY_MS)

describe('a disk that fills', () => {
  let dir: string
  let harness: Harness
  let telemetry: Telemetry
  let blobs: Blobs
  let shop: number
  let used = 0
  before(async () => {
    telemetry = await openTestTelemetry()
    harness = await openHarness({ hasMail: true })
    dir = await mkdtemp(join(tmpdir(), 'sonde-disk-watch-'))
    blobs = await openTestBlobs(dir)
    shop = (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })).id
    await harness.viewer('acme', 'owner', 'operator@acme.test')
    await harness.viewer('acme', 'member', 'member@acme.test')
    await harness.db
      .updateTable('user')
      .set({ isOperator: 1 })
      .where('email', '=', 'operator@acme.test')
      .execute()
    // Of today and yesterday, of the week before, and of the one before that.
    for (const table of ['spans', 'logs', 'events', 'sessions'])
      await telemetry.command(
        `INSERT INTO ${table} (project_id, received, ${table === 'sessions' ? 'started' : 'timestamp'})
         SELECT {project:UInt32}, at, at FROM (SELECT
           fromUnixTimestamp64Milli(toInt64({now:UInt64}) - [0, 1, 12, 19][number % 4 + 1] * 86400000) AS at FROM numbers(2000))`,
        { project: shop, now: NOW_MS },
      )
    for (const ago of [0, 19]) {
      const blob = `attachments/${shop}/${ago}`
      await blobs.put(blob, new Uint8Array(100))
      await harness.db
        .insertInto('attachment')
        .values({ ...attachmentRow(shop, ago, blob, NOW_MS - ago * DAY_MS), bytes: 100 })
        .execute()
    }
    await measureStorage({ records: harness.db, telemetry, clock: harness.clock })
  })
  beforeEach(() => harness.db.deleteFrom('account_mail').execute())
  after(async () => {
    await harness?.close()
    await telemetry?.close()
    if (dir) await rm(dir, { recursive: true })
  })

  const watch = (marks = { warn: 0.85, delete: 0.95 }): Promise<string> =>
    watchDisk(
      {
        records: harness.db,
        telemetry,
        blobs,
        clock: harness.clock,
        logger: silentLogger,
        disk: async () => ({ sizeBytes: 10_000, freeBytes: 10_000 - used }),
        marks,
        holds: { telemetry: true, blobs: true },
        mailbox: harness.access.mailbox,
        publicUrl: 'http://sonde.test',
      },
      new AbortController().signal,
    )
  const state = () => readStorageState<DiskWatchState>(harness.db, 'disk')
  const mails = async () =>
    (await harness.mails()).map(({ to, subject, lines }) => `${to}: ${subject}. ${lines.join(' ')}`)
  const oldest = async (table: string): Promise<number> => {
    const [row] = await telemetry.query<{ days: number }>(
      `SELECT toUInt32(max(({today:UInt64} - toUnixTimestamp(toStartOfDay(received, 'UTC')) * 1000) / 86400000)) AS days
       FROM ${table}`,
      { today: TODAY },
    )
    return row?.days ?? -1
  }

  it('below the mark says nothing', async () => {
    used = 8_400
    assert.equal(await watch(), 'rests')
    assert.equal(await state(), undefined)
    assert.deepEqual(await mails(), [])
  })

  it('at the first mark operators are told, once a day, with the next step', async () => {
    used = 8_600
    for (let look = 0; look < 3; look++) await watch()
    const [mail, ...others] = await mails()
    assert.deepEqual(others, [])
    assert.match(
      mail ?? '',
      /^operator@acme\.test: Sonde: 86% of the disk is used\. Free up space, .*At 95% the oldest/,
    )
    assert.equal((await state())?.state, 'warned')
    // Within two percent of the mark it may go up and down as it likes.
    used = 8_400
    await watch()
    assert.equal((await state())?.state, 'warned')
    harness.clock.advance(DAY_MS / 2)
    used = 8_600
    await watch()
    assert.equal((await mails()).length, 1)
    used = 8_200
    await watch()
    assert.equal((await state())?.state, 'ok')
    harness.clock.advance(-DAY_MS / 2)
  })

  it('turned off, and when other files fill it, nothing goes', async () => {
    used = 9_900
    assert.equal(await watch({ warn: 0, delete: 0 }), 'rests')
    await harness.db.updateTable('storage_day').set({ bytes: 1 }).execute()
    assert.equal(await watch(), 'rests')
    assert.match((await mails())[0] ?? '', /Other files fill it/)
    assert.equal(await oldest('logs'), 19)
    await measureStorage({ records: harness.db, telemetry, clock: harness.clock }, true)
  })

  it('at the second mark the oldest weeks go first, in them kinds in their order, until there is room', async () => {
    used = 9_500
    const went: string[] = []
    for (let step = 0; step < 200 && went.length < 4; step++) {
      await watch()
      const kinds = ((await state())?.steps ?? []).map(({ kind }) => kind)
      if (kinds.length > went.length) went.push(kinds.at(-1) ?? '')
    }
    assert.deepEqual(went, ['spans', 'logs', 'attachments', 'sessions'])
    // 31 January 2026 is a Saturday; the oldest week is that of the 12th.
    assert.equal(await oldest('spans'), 12)
    assert.equal(await oldest('sessions'), 12)
    assert.equal(await oldest('events'), 19, 'errors go last')
    const left = await harness.db.selectFrom('attachment').select('blob').execute()
    assert.deepEqual(left, [{ blob: `attachments/${shop}/0` }])
    assert.equal(await blobs.open(`attachments/${shop}/19`), undefined)

    used = 9_350
    assert.equal(await watch(), 'goes on', 'it goes on until two percent are free')
    used = 9_200
    while ((await watch()) === 'goes on');
    const [begun, ended] = await mails()
    assert.match(begun ?? '', /The oldest data is being deleted/)
    assert.match(ended ?? '', /Deleted to make room: .*sessions before 2026-01-19/)
    assert.equal((await state())?.state, 'warned')
  })

  it("never takes today's", async () => {
    used = 9_900
    await harness.db.updateTable('storage_day').set({ bytes: 9_000 }).where('rows', '>', 0).execute()
    let waits = 0
    for (;;) {
      if ((await watch()) === 'goes on') continue
      if (((await state())?.waitsUntilMs ?? 0) <= harness.clock.nowMs()) break
      // The engine keeps parts that it replaced for some minutes.
      waits++
      harness.clock.advance(10 * 60_000)
    }
    assert.equal(waits, 4, 'a day of each of four kinds')
    for (const table of ['spans', 'logs', 'events', 'sessions']) assert.equal(await oldest(table), 0, table)
    const [rows] = await telemetry.query<{ n: number }>('SELECT count() AS n FROM events')
    assert.equal(rows?.n, 500)
  })
})
