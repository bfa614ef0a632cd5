/** Scrubbing rules of today, applied to spans, logs and other rows that were stored before; a crash after each step harms nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NAVIGATION_OP } from '@sonde/protocol/navigation'
import { DEFAULT_PROJECT_SETTINGS } from '@sonde/stores'
import type { Pipeline } from '../../src/index.ts'
import { ROW_STEPS } from '../../src/reprocess/reprocessing-step.ts'
import { openReprocessingHarness, type ReprocessingHarness, until } from './reprocessing-harness.ts'

const TRACE = 'a'.repeat(32)
const LOGS = 'application/vnd.sentry.items.log+json'

/** A transaction with two spans, a line of a log, a metric, a vital and a client-side navigation, all of Anna. */
function everyKind(nowSec: number): string {
  const spanOf = (id: number, more: object) => ({
    trace_id: TRACE,
    span_id: id.toString(16).padStart(16, '0'),
    start_timestamp: nowSec - 1,
    timestamp: nowSec,
    ...more,
  })
  const transaction = {
    type: 'transaction',
    event_id: 'b'.repeat(32),
    transaction: '/club/nickname=Anna',
    start_timestamp: nowSec - 1,
    timestamp: nowSec,
    platform: 'javascript',
    contexts: { trace: { trace_id: TRACE, span_id: '1'.repeat(16), op: 'pageload' } },
    spans: [
      spanOf(2, {
        op: 'http.client',
        description: 'GET /m?nickname=Anna',
        data: { nickname: 'Anna', kept: 'x' },
      }),
      spanOf(3, { op: 'db', description: 'SELECT 1', data: { kept: 'y' } }),
    ],
  }
  const alone = (id: number, op: string, attributes: object) => ({
    ...spanOf(id, { op, description: '/club', exclusive_time: 1 }),
    data: { 'user.id': '7', ...attributes },
  })
  const line = {
    timestamp: nowSec,
    trace_id: TRACE,
    level: 'info',
    body: "it's\ta line with nickname=Anna\nand more",
    attributes: { nickname: { value: 'Anna', type: 'string' }, 'order.id': { value: 17, type: 'integer' } },
  }
  const items = [
    [{ type: 'transaction' }, transaction],
    [
      { type: 'span' },
      alone(4, NAVIGATION_OP, {
        'sonde.navigation.to': '/n?nickname=Anna',
        'sonde.navigation.outcome': 'committed',
      }),
    ],
    [{ type: 'log', item_count: 1, content_type: LOGS }, { items: [line] }],
  ] as const
  return `{"event_id":"${'b'.repeat(32)}"}\n${items.map(([header, body]) => `${JSON.stringify(header)}\n${JSON.stringify(body)}\n`).join('')}`
}

const STORED = ['spans', 'logs', 'navigations'] as const

describe('scrubbing stored rows', () => {
  let harness: ReprocessingHarness
  let pipeline: Pipeline
  before(async () => {
    harness = await openReprocessingHarness()
    pipeline = await harness.start()
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  const rowsOf = async (project: number, table: (typeof STORED)[number]): Promise<string[]> => {
    const rows = await harness.telemetry.query<Record<string, unknown>>(
      `SELECT * EXCEPT (project_id, log_position) FROM ${table} WHERE project_id = {project:UInt32} ORDER BY ALL`,
      { project },
    )
    return rows.map((row) => JSON.stringify({ ...row, revision: undefined })).toSorted()
  }
  const allRowsOf = async (project: number): Promise<string[]> => {
    const rows = []
    for (const table of STORED) rows.push(...(await rowsOf(project, table)))
    return rows
  }

  async function withRows(slug: string): Promise<number> {
    const project = await harness.createProject(slug)
    await harness.append(project, everyKind(Date.now() / 1000))
    await until(async () => (await allRowsOf(project)).length === 5, 'the rows are stored')
    const scrub = { ...DEFAULT_PROJECT_SETTINGS.scrub, sensitiveFields: ['nickname', 'user.id'] }
    await harness.records
      .insertInto('project_setting')
      .values({
        project_id: project,
        value: JSON.stringify({ ...DEFAULT_PROJECT_SETTINGS, scrub }),
        rate_limit_count: null,
        rate_limit_window_sec: null,
        updated_ms: 0,
      })
      .execute()
    return project
  }
  const run = async (project: number) => {
    const id = await harness.ask({ projectIds: [project], scrub: true }, 'asked')
    const reprocessing = harness.startReprocessing(pipeline, {})
    await harness.finished(id)
    await reprocessing.stop()
    return harness.reprocessing(id)
  }

  it('changes what the rules name, nothing else, and the second time nothing', async () => {
    const project = await withRows('rows')
    const before = await allRowsOf(project)
    const first = await run(project)
    assert.equal(first.changed_count, 5)
    const scrubbed = before.map((row) =>
      row
        .replaceAll('nickname":"Anna"', 'nickname":"[Filtered]"')
        .replaceAll('nickname=Anna', 'nickname=[Filtered]')
        .replaceAll('id:7', 'id:[Filtered]'),
    )
    assert.deepEqual((await allRowsOf(project)).toSorted(), scrubbed.toSorted())
    assert.ok(scrubbed.every((row) => !row.includes('Anna')))
    const again = await run(project)
    assert.deepEqual([again.seen_count, again.changed_count], [again.total_count, 0])
  })

  it('leaves every row once, whatever step is the last before a crash', async () => {
    const project = await withRows('crashed')
    const count = (await allRowsOf(project)).length
    const id = await harness.ask({ projectIds: [project], scrub: true }, 'asked')
    for (const step of ROW_STEPS) {
      let crashed = false
      const reprocessing = harness.startReprocessing(
        pipeline,
        {},
        {
          afterStep(now) {
            if (now !== step || crashed) return
            crashed = true
            throw new Error('crash')
          },
        },
      )
      await until(async () => crashed, `it crashes after ${step}`)
      await reprocessing.stop()
    }
    const last = harness.startReprocessing(pipeline, {})
    await harness.finished(id)
    await last.stop()
    const rows = await allRowsOf(project)
    assert.equal(rows.length, count)
    assert.ok(rows.every((row) => !row.includes('Anna')))
  })

  it('waits while somebody is erased of the project', async () => {
    const project = await withRows('erased')
    const { id: erasure } = await harness.records
      .insertInto('erasure')
      .values({
        org_id: harness.orgId,
        scope: 'acme',
        projects: JSON.stringify([project]),
        person: '{}',
        person_hash: '',
        actor: 'user:u1',
        state: 'deletes',
        requested_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = await harness.ask({ projectIds: [project], scrub: true }, 'asked')
    const reprocessing = harness.startReprocessing(pipeline, {})
    await until(async () => (await harness.reprocessing(id)).started_ms !== null, 'it has begun')
    assert.equal((await harness.reprocessing(id)).changed_count, 0)
    await harness.records.updateTable('erasure').set({ state: 'purges' }).where('id', '=', erasure).execute()
    await harness.finished(id)
    await reprocessing.stop()
    assert.equal((await harness.reprocessing(id)).changed_count, 5)
  })
})
