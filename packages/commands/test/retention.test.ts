/** Rules of projects: what they take away, and whose data they leave alone. */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { silentLogger } from '@sonde/base'
import {
  applyCuts,
  ensureProject,
  InvalidInput,
  measureStorage,
  retentionCuts,
  updateRetention,
} from '@sonde/commands'
import type { Telemetry } from '@sonde/stores'
import { openTestTelemetry } from '../../../tests/harness/engines.ts'
import { attachmentRow } from './attachment-row.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000
const TODAY = NOW_MS - (NOW_MS % DAY_MS)
const NONE = { keepDays: null, maxBytes: null }

describe('rules of retention', () => {
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
    for (const project of [shop, shelf])
      for (const table of ['spans', 'logs', 'events', 'event_index', 'deleted_events'])
        await telemetry.command(
          `INSERT INTO ${table} (project_id, received, timestamp)
           SELECT {project:UInt32}, at, at FROM (SELECT
             fromUnixTimestamp64Milli(toInt64({now:UInt64}) - number % 30 * 86400000) AS at FROM numbers(300))`,
          { project, now: NOW_MS },
        )
    for (const [at, project] of [shop, shop, shelf].entries())
      await harness.db
        .insertInto('attachment')
        .values(attachmentRow(project, at, `attachments/${at}`, NOW_MS - (at === 1 ? 0 : 20 * DAY_MS)))
        .execute()
    await measureStorage({ records: harness.db, telemetry, clock: harness.clock })
  })
  after(async () => {
    await harness?.close()
    await telemetry?.close()
  })
  const grantOf = (project: string, permission: 'project:write' = 'project:write') =>
    harness.access.openProject(operatorViewer, 'acme', project, permission)
  const oldest = async (table: string, project: number): Promise<number> => {
    const [row] = await telemetry.query<{ days: number }>(
      `SELECT toUInt32(max(({today:UInt64} - toUnixTimestamp(toStartOfDay(received, 'UTC')) * 1000) / 86400000)) AS days
       FROM ${table} WHERE project_id = {project:UInt32}`,
      { project, today: TODAY },
    )
    return row?.days ?? -1
  }
  const attachments = async (): Promise<readonly string[]> =>
    (await harness.db.selectFrom('attachment').select('blob').orderBy('id').execute()).map(({ blob }) => blob)
  const sweep = (t: TestContext): Promise<void> =>
    t.waitFor(
      async () => {
        const options = { records: harness.db, telemetry, clock: harness.clock, logger: silentLogger }
        const step = await applyCuts(options, await retentionCuts(options), new AbortController().signal)
        assert.equal(step, 'done')
      },
      { timeout: 30_000, interval: 100 },
    )

  it('refuses what makes no rule, and says where', async () => {
    const refused = async (rules: unknown): Promise<readonly string[]> => {
      try {
        await updateRetention(harness.deps, await grantOf('shop'), rules)
      } catch (error) {
        if (error instanceof InvalidInput) return Object.keys(error.fields)
        throw error
      }
      return []
    }
    assert.deepEqual(await refused({ spans: { keepDays: 0, maxBytes: null } }), ['rules.spans.keepDays'])
    assert.deepEqual(await refused({ spans: { keepDays: null, maxBytes: 999_999 } }), [
      'rules.spans.maxBytes',
    ])
    for (const rules of [{ clouds: NONE }, { counts: NONE }, 'spans', { spans: { keepDays: 7 } }])
      assert.equal((await refused(rules)).length, 1, JSON.stringify(rules))
    assert.deepEqual(await harness.db.selectFrom('retention_rule').selectAll().execute(), [])
  })

  it('take whole old days of their kind and project, and nothing else', async (t) => {
    await updateRetention(harness.deps, await grantOf('shop'), {
      spans: { keepDays: 7, maxBytes: null },
      errors: { keepDays: 14, maxBytes: null },
      attachments: { keepDays: 10, maxBytes: null },
    })
    const cuts = await retentionCuts({ records: harness.db, clock: harness.clock })
    assert.deepEqual(
      cuts
        .map(({ projectId, kind, beforeMs }) => [projectId, kind, (TODAY - beforeMs) / DAY_MS] as const)
        .toSorted((a, b) => a[1].localeCompare(b[1])),
      [
        [shop, 'attachments', 19],
        [shop, 'errors', 14],
        [shop, 'spans', 7],
      ],
    )
    await sweep(t)
    assert.deepEqual(
      await Promise.all(
        ['spans', 'events', 'event_index', 'deleted_events'].map((table) => oldest(table, shop)),
      ),
      [7, 14, 14, 14],
    )
    assert.equal(await oldest('logs', shop), 29)
    for (const table of ['spans', 'events', 'logs']) assert.equal(await oldest(table, shelf), 29)
    assert.deepEqual(await attachments(), ['attachments/1', 'attachments/2'])
    const garbage = await harness.db.selectFrom('blob_garbage').select('name').execute()
    assert.deepEqual(garbage, [{ name: 'attachments/0' }])
  })

  it('free the bytes, not only the rows', async () => {
    const [masked] = await telemetry.query<{ parts: number }>(
      "SELECT count() AS parts FROM system.parts WHERE active AND table = 'spans' AND has_lightweight_delete",
    )
    assert.equal(masked?.parts, 0)
    const bytes = async (): Promise<number> =>
      (
        await harness.db
          .selectFrom('storage_day')
          .select('bytes')
          .where('project_id', '=', shop)
          .where('kind', '=', 'spans')
          .execute()
      ).reduce((sum, row) => sum + row.bytes, 0)
    const before = await bytes()
    await measureStorage({ records: harness.db, telemetry, clock: harness.clock }, true)
    assert.ok((await bytes()) < before)
    assert.deepEqual(await retentionCuts({ records: harness.db, clock: harness.clock }), [])
  })

  it('end with both fields empty, and stand in the audit log', async () => {
    await updateRetention(harness.deps, await grantOf('shop'), { spans: NONE })
    const rules = await harness.db.selectFrom('retention_rule').select('kind').orderBy('kind').execute()
    assert.deepEqual(
      rules.map(({ kind }) => kind),
      ['attachments', 'errors'],
    )
    assert.match((await harness.audit()).at(-1) ?? '', / project\.retention acme\/shop$/)
  })
})
