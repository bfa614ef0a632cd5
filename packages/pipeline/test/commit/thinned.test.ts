/** An issue that comes very often keeps a sample in full; its count stays exact, its users nearly, and other issues lose nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { encodeCountedIdRow, EVENT_USERS } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { numberOf } from '../../src/commit/sample-spikes.ts'
import { STORE_HELD_STEPS, startStoreHeld, type StoreHeldOptions } from '../../src/commit/store-held.ts'
import { sampledShare } from '../../src/commit/thin-issues.ts'
import type { Pipeline } from '../../src/index.ts'
import { errorEnvelope, eventIdOf, type Harness, openHarness, until } from './harness.ts'

let harness: Harness

const DAY_MS = 86_400_000
const NOON_MS = (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS + DAY_MS / 2

const setFull = (projectId: number, fullPerDay: number, actions: object = {}) =>
  harness.records
    .insertInto('project_setting')
    .values({
      project_id: projectId,
      value: JSON.stringify({ noise: { fullPerDay, actions } }),
      rate_limit_count: null,
      rate_limit_window_sec: null,
      updated_ms: 0,
    })
    .execute()

const of = (id: number, kind: string, user: number) =>
  errorEnvelope(id, kind, { user: { id: `${user}` }, extra: { at: id } })

/** What the screens count, by issue. */
async function counted(projectId: number) {
  const rows = await harness.telemetry.query<{ issue: number; rows: number; events: number; users: number }>(
    `SELECT issue_id AS issue, count() AS rows, sum(1 + left_out) AS events, ${EVENT_USERS} AS users
     FROM events WHERE project_id = {project:UInt32} GROUP BY issue ORDER BY issue`,
    { project: projectId },
  )
  return new Map(rows.map(({ issue, ...counts }) => [issue, counts]))
}

/** A hundred, then one at a time: each is a batch of its own. */
async function drip(pipeline: Pipeline, projectId: number, firstId: number, count: number, users: number) {
  for (let at = 0; at < count; at++) {
    await harness.append(projectId, of(firstId + at, 'Drip', at % users), { receivedMs: NOON_MS })
    if (at >= 99) await until(() => pipeline.state().records === at + 1, 'it is done')
  }
}

/** Everything that waits is due. Resolves once nothing does. */
async function storeHeld(more: Partial<StoreHeldOptions> = {}): Promise<void> {
  const { records, telemetry, clock } = harness
  const job = startStoreHeld({
    records,
    telemetry,
    clock,
    logger: silentLogger,
    waitsMs: -1,
    lookEveryMs: 20,
    ...more,
  })
  try {
    await until(async () => {
      const waiting = await records.selectFrom('held_event').select('id').execute()
      return waiting.length === 0
    }, 'nothing waits')
  } finally {
    await job.stop()
  }
}

describe('thinned issues', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('keep the first of a day and a sample; counts are exact, users within 2 %, other issues whole', async (t) => {
    const project = await harness.createProject('flood')
    await setFull(project, 200)
    const users = 1_500
    for (let at = 0; at < 6_000; at++) {
      await harness.append(project, of(0x10_0000 + at, 'Flood', at % users), { receivedMs: NOON_MS })
      if (at % 40 === 0)
        await harness.append(project, of(0x20_0000 + at, 'Rare', at), { receivedMs: NOON_MS })
    }
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 6_150, 'everything is done', 120_000)
    await storeHeld()
    const [flood, rare] = await harness.issues(project)
    const byIssue = await counted(project)
    assert.equal(flood?.event_count, 6_000)
    assert.equal(rare?.event_count, 150)
    const thinned = byIssue.get(flood?.id ?? 0)
    assert.equal(thinned?.events, 6_000)
    // 200 whole, 1 in 10 of the 1,800 up to ten times as many, 1 in 100 of the rest, and one for a batch without any.
    assert.ok((thinned?.rows ?? 0) >= 340 && (thinned?.rows ?? 0) < 480, `${thinned?.rows} rows`)
    assert.ok(Math.abs((thinned?.users ?? 0) - users) <= users * 0.02, `${thinned?.users} users`)
    assert.deepEqual(byIssue.get(rare?.id ?? 0), { rows: 150, events: 150, users: 150 })
    const outcomes = await harness.outcomes(project)
    assert.deepEqual(outcomes, {
      'error/accepted/': (thinned?.rows ?? 0) + 150,
      'error/filtered/thinned': 6_000 - (thinned?.rows ?? 0),
    })
    const last = await harness.telemetry.query<{ n: number }>(
      `SELECT count() AS n FROM events WHERE project_id = {project:UInt32} AND event_id = {event:String}`,
      { project, event: flood?.last_event_id ?? '' },
    )
    assert.deepEqual(last, [{ n: 1 }], 'what the issue leads to is there')
  })

  it('count an event once that is sent twice, also one that is not stored', async (t) => {
    const project = await harness.createProject('twice')
    await setFull(project, 100)
    const send = async () => {
      for (let at = 0; at < 400; at++)
        await harness.append(project, of(0x30_0000 + at, 'Flood', at), { receivedMs: NOON_MS })
    }
    await send()
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 400, 'everything is done')
    await storeHeld()
    await send()
    await until(() => pipeline.state().records === 800, 'the repeat is looked at')
    assert.equal((await harness.outcomes(project))['error/invalid/duplicate_event'], 400)
    assert.equal((await harness.issues(project))[0]?.event_count, 400)
  })

  it('count an event once that an earlier version counted and did not store', async (t) => {
    const project = await harness.createProject('before')
    const id = eventIdOf(0x38_0000)
    await harness.telemetry.insert(
      'counted_ids',
      [encodeCountedIdRow({ projectId: project, id: numberOf(id), receivedMs: NOON_MS })],
      'before',
    )
    await harness.append(project, of(0x38_0000, 'Flood', 1), { receivedMs: NOON_MS })
    await harness.append(project, of(0x38_0001, 'Flood', 1), { receivedMs: NOON_MS })
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 2, 'both are looked at')
    assert.deepEqual(await harness.outcomes(project), {
      'error/accepted/': 1,
      'error/invalid/duplicate_event': 1,
    })
  })

  it('have one row where few come at a time, which is counted when it is stored', async (t) => {
    const project = await harness.createProject('trickle')
    await setFull(project, 100)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await drip(pipeline, project, 0x40_0000, 120, 20)
    const [issue] = await harness.issues(project)
    const before = (await counted(project)).get(issue?.id ?? 0)
    assert.equal(before?.events, issue?.event_count, 'what waits is counted nowhere')
    await storeHeld()
    const now = (await counted(project)).get(issue?.id ?? 0)
    assert.equal((await harness.issues(project))[0]?.event_count, 120)
    assert.equal(now?.events, 120)
    assert.equal(now?.users, 20)
    assert.equal(now?.rows, (before?.rows ?? 0) + 1)
    const outcomes = await harness.outcomes(project)
    assert.equal(outcomes['error/accepted/'], now?.rows)
    assert.equal((outcomes['error/accepted/'] ?? 0) + (outcomes['error/filtered/thinned'] ?? 0), 120)
  })

  it('wait no longer once thousands do', async (t) => {
    const project = await harness.createProject('many')
    await setFull(project, 100)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await drip(pipeline, project, 0x44_0000, 105, 5)
    const waiting = async () =>
      (
        await harness.records
          .selectFrom('held_event')
          .select('others')
          .where('project_id', '=', project)
          .execute()
      ).map(({ others }) => others)
    assert.equal((await waiting()).length, 1)
    const { records, telemetry, clock } = harness
    const job = startStoreHeld({
      records,
      telemetry,
      clock,
      logger: silentLogger,
      // What is of yesterday is not due either.
      waitsMs: 30 * DAY_MS,
      lookEveryMs: 20,
    })
    t.after(() => job.stop())
    const counted = (await harness.issues(project))[0]?.event_count ?? 0
    await records.updateTable('held_event').set({ others: 5_000 }).where('project_id', '=', project).execute()
    await until(async () => (await waiting()).length === 0, 'it is stored')
    assert.equal((await harness.issues(project))[0]?.event_count, counted + 5_001)
  })

  it('are whole where the project says so, and begin early for a class of noise that it thins', async (t) => {
    const [whole, noisy] = [await harness.createProject('whole'), await harness.createProject('noisy')]
    await setFull(whole, 0)
    await setFull(noisy, 0, { resize_observer: 'thin' })
    for (let at = 0; at < 300; at++) {
      await harness.append(whole, of(0x50_0000 + at, 'Own', at), { receivedMs: NOON_MS })
      const resize = {
        platform: 'javascript',
        exception: [{ type: 'Error', value: 'ResizeObserver loop limit exceeded' }],
      }
      await harness.append(noisy, errorEnvelope(0x60_0000 + at, '', resize), { receivedMs: NOON_MS })
    }
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 600, 'everything is done')
    await storeHeld()
    assert.deepEqual(await harness.outcomes(whole), { 'error/accepted/': 300 })
    assert.ok(((await harness.outcomes(noisy))['error/filtered/thinned'] ?? 0) > 150)
    assert.equal((await harness.issues(noisy))[0]?.event_count, 300)
  })

  it('give what waits to the issue that has its fingerprint by then', async (t) => {
    const project = await harness.createProject('moved')
    await setFull(project, 100)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await harness.append(project, of(0x71_0000, 'Other', 1), { receivedMs: NOON_MS })
    for (let at = 1; at <= 101; at++) {
      await harness.append(project, of(0x71_0000 + at, 'Drip', at), { receivedMs: NOON_MS })
      if (at >= 100) await until(() => pipeline.state().records === at + 1, 'it is done')
    }
    const [other, drip] = await harness.issues(project)
    const waiting = await harness.records
      .selectFrom('held_event')
      .select('others')
      .where('project_id', '=', project)
      .execute()
    assert.deepEqual(waiting, [{ others: 0 }])
    assert.equal(drip?.event_count, 100)
    await harness.records
      .updateTable('issue_hash')
      .set({ issue_id: other?.id ?? 0 })
      .where('issue_id', '=', drip?.id ?? 0)
      .execute()
    await storeHeld()
    const [now, left] = await harness.issues(project)
    assert.equal(now?.event_count, 2)
    assert.equal(left?.event_count, 100)
    assert.equal((await counted(project)).get(other?.id ?? 0)?.events, now?.event_count)
  })

  for (const [at, step] of COMMIT_STEPS.entries())
    it(`are decided once: a crash after "${step}" changes no count`, async () => {
      const project = await harness.createProject(`crash-${step}`)
      await setFull(project, 100)
      for (let n = 0; n < 260; n++)
        await harness.append(project, of(0x80_0000 + at * 0x1000 + n, `Kind${n % 2}`, n % 50), {
          receivedMs: NOON_MS,
        })
      let crashed = false
      const first = await harness.start({
        afterStep(now) {
          if (now !== step) return
          crashed = true
          throw new Error('crash')
        },
      })
      await until(() => crashed, 'it crashes')
      await first.stop()
      const second = await harness.start()
      await until(async () => {
        const outcomes = Object.values(await harness.outcomes(project))
        return outcomes.reduce((sum, each) => sum + each, 0) >= 260
      }, 'everything has its outcome')
      await until(() => second.state().trouble === undefined, 'it goes on')
      await storeHeld()
      await second.stop()
      await storeHeld()
      const issues = await harness.issues(project)
      assert.deepEqual(
        issues.map(({ event_count }) => event_count),
        [130, 130],
      )
      const byIssue = await counted(project)
      for (const { id } of issues)
        assert.deepEqual({ events: 130, users: 25 }, pick(byIssue.get(id)), `issue ${id}`)
      const rows = [...byIssue.values()].reduce((sum, each) => sum + each.rows, 0)
      assert.deepEqual(await harness.outcomes(project), {
        'error/accepted/': rows,
        'error/filtered/thinned': 260 - rows,
      })
    })

  for (const [at, step] of STORE_HELD_STEPS.entries())
    it(`are counted once though storing what waited is cut after "${step}"`, async (t) => {
      const project = await harness.createProject(`cut-${step}`)
      await setFull(project, 100)
      const pipeline = await harness.start()
      t.after(() => pipeline.stop())
      await drip(pipeline, project, 0x90_0000 + at * 0x1000, 105, 105)
      let cuts = 0
      await storeHeld({
        afterStep(now) {
          if (now === step && cuts++ === 0) throw new Error('cut')
        },
      })
      assert.ok(cuts > 0)
      const [issue] = await harness.issues(project)
      assert.equal(issue?.event_count, 105)
      assert.deepEqual(pick((await counted(project)).get(issue?.id ?? 0)), { events: 105, users: 105 })
      const [index] = await harness.telemetry.query<{ n: number }>(
        `SELECT count() AS n FROM event_index WHERE project_id = {project:UInt32}`,
        { project },
      )
      assert.equal(index?.n, (await harness.events(project)).length)
      const ids = (await harness.events(project)).map(({ event_id }) => event_id)
      assert.ok(ids.includes(eventIdOf(0x90_0000 + at * 0x1000)))
    })

  it('keep fewer the more there are', () => {
    assert.deepEqual([1.01, 10, 10.5, 100, 101].map(sampledShare), [0.1, 0.1, 0.01, 0.01, 0.001])
  })
})

const pick = (counts: { readonly events: number; readonly users: number } | undefined) =>
  counts && { events: counts.events, users: counts.users }
