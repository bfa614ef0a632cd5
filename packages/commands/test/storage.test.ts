/** What is stored of each project, kind and day, as the storage page and the retention rules know it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, measureStorage } from '@sonde/commands'
import { STORAGE_KIND_NAMES, storageKindInfo, type Telemetry, TELEMETRY_TABLES } from '@sonde/stores'
import { openTestTelemetry } from '../../../tests/harness/engines.ts'
import { attachmentRow } from './attachment-row.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
const TODAY = NOW_MS - (NOW_MS % DAY_MS)

describe('what is stored', () => {
  let harness: Harness
  let telemetry: Telemetry
  let shop: number
  let shelf: number
  before(async () => {
    telemetry = await openTestTelemetry()
    harness = await openHarness()
    const make = async (slug: string): Promise<number> =>
      (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })).id
    ;[shop, shelf] = [await make('shop'), await make('shelf')]
    // 20 spans a day for ten days, three times as many of the other project.
    for (const [project, perDay] of [
      [shop, 20],
      [shelf, 60],
    ] as const)
      await telemetry.command(
        `INSERT INTO spans (project_id, received, timestamp, name, span_id)
         SELECT {project:UInt32}, at, at, concat('GET /', toString(number)), toString(number)
         FROM (SELECT number, fromUnixTimestamp64Milli(toInt64({now:UInt64}) - number % 10 * 86400000) AS at
           FROM numbers({rows:UInt32}))`,
        { project, now: NOW_MS, rows: perDay * 10 },
      )
    await harness.db
      .insertInto('attachment')
      .values([
        { ...attachmentRow(shop, 1, 'attachments/1', NOW_MS - 2 * DAY_MS), bytes: 700 },
        { ...attachmentRow(shop, 2, 'attachments/1', NOW_MS), bytes: 700 },
        { ...attachmentRow(shop, 3, 'attachments/3', NOW_MS), bytes: 50 },
      ])
      .execute()
    await measure()
  })
  after(async () => {
    await harness?.close()
    await telemetry?.close()
  })
  const measure = (): Promise<void> =>
    measureStorage({
      records: harness.db,
      telemetry,
      clock: harness.clock,
      disk: async () => ({ freeBytes: 400, sizeBytes: 1_000 }),
    })
  const days = (project: number, kind: string) =>
    harness.db
      .selectFrom('storage_day')
      .select(['day_ms', 'rows', 'bytes'])
      .where('project_id', '=', project)
      .where('kind', '=', kind as 'spans')
      .orderBy('day_ms')
      .execute()

  it('names every telemetry table once', () => {
    const named = STORAGE_KIND_NAMES.flatMap((kind) => storageKindInfo(kind).tables)
    assert.deepEqual(named.toSorted(), TELEMETRY_TABLES.toSorted())
  })

  it('counts rows by day, with the bytes that such rows take on the disk', async () => {
    const [ofShop, ofShelf] = [await days(shop, 'spans'), await days(shelf, 'spans')]
    assert.deepEqual(
      ofShop.map(({ day_ms, rows }) => [(TODAY - day_ms) / DAY_MS, rows]),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((ago) => [ago, 20]),
    )
    const [onDisk] = await telemetry.query<{ bytes: number }>(
      "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'spans' AND database = currentDatabase()",
    )
    const sum = (rows: readonly { readonly bytes: number }[]): number =>
      rows.reduce((total, { bytes }) => total + bytes, 0)
    const all = sum(ofShop) + sum(ofShelf)
    assert.ok(Math.abs(all - (onDisk?.bytes ?? 0)) <= 20, `${all} bytes by day, ${onDisk?.bytes} on the disk`)
    assert.ok(Math.abs(sum(ofShelf) / sum(ofShop) - 3) < 0.5)
  })

  it('counts a file once, on the day when it came', async () => {
    assert.deepEqual(await days(shop, 'attachments'), [
      { day_ms: TODAY - 2 * DAY_MS, rows: 2, bytes: 700 },
      { day_ms: TODAY, rows: 1, bytes: 50 },
    ])
  })

  it('notes how full the disk is', async () => {
    assert.deepEqual(await harness.db.selectFrom('disk_day').selectAll().execute(), [
      { place: 'data', day_ms: TODAY, used_bytes: 600, size_bytes: 1_000 },
    ])
  })

  it('keeps what a day had brought when nothing of it is left', async () => {
    await harness.db.deleteFrom('attachment').where('blob', '=', 'attachments/3').execute()
    harness.clock.advance(3_600_000)
    await measure()
    const [row] = await harness.db
      .selectFrom('storage_day')
      .selectAll()
      .where('kind', '=', 'attachments')
      .where('day_ms', '=', TODAY)
      .execute()
    assert.deepEqual([row?.rows, row?.bytes, row?.most_bytes], [0, 0, 50])
  })
})
