/** Above its learnt rate a project's events are counted and only some are stored; no count tells the difference. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { keptShare } from '../../src/commit/sample-spikes.ts'
import { errorEnvelope, eventIdOf, type Harness, openHarness, until } from './harness.ts'

let harness: Harness

const MINUTE_MS = 60_000
const HOUR_MS = (Math.floor(Date.now() / 3_600_000) - 3) * 3_600_000

const learn = (projectId: number, minuteLimit: number, learnedMs = Date.now()) =>
  harness.records
    .insertInto('spike_baseline')
    .values({
      project_id: projectId,
      category: 'event',
      usual_per_hour: minuteLimit * 12,
      minute_limit: minuteLimit,
      learned_ms: learnedMs,
    })
    .execute()

const spikesOf = (projectId: number) =>
  harness.records.selectFrom('spike').selectAll().where('project_id', '=', projectId).execute()

/** What the screens count, by issue: rows, and events that they stand for. */
async function counted(projectId: number) {
  const rows = await harness.telemetry.query<{ issue: number; stored: number; events: number }>(
    `SELECT issue_id AS issue, count() AS stored, sum(1 + left_out) AS events FROM events
     WHERE project_id = {project:UInt32} GROUP BY issue ORDER BY issue`,
    { project: projectId },
  )
  return new Map(rows.map(({ issue, ...counts }) => [issue, counts]))
}

async function flood(projectId: number, firstId: number, count: number, kinds: number, receivedMs = HOUR_MS) {
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      harness.append(projectId, errorEnvelope(firstId + at, `Kind${at % kinds}`), { receivedMs }),
    ),
  )
}

describe('spikes', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('store a part of the events, and count each of them with its issue', async (t) => {
    const [busy, calm] = [await harness.createProject('busy'), await harness.createProject('calm')]
    await learn(busy, 100)
    await flood(busy, 0x1000, 5_000, 4)
    await harness.append(busy, errorEnvelope(0xff00, 'NeverSeen'), { receivedMs: HOUR_MS })
    await flood(calm, 0x8000, 500, 1)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 5_501, 'everything is done', 120_000)

    const issues = await harness.issues(busy)
    const byIssue = await counted(busy)
    assert.deepEqual(
      issues.map(({ event_count }) => event_count),
      [1250, 1250, 1250, 1250, 1],
    )
    for (const issue of issues) assert.equal(byIssue.get(issue.id)?.events, issue.event_count)
    const stored = [...byIssue.values()].reduce((sum, each) => sum + each.stored, 0)
    assert.ok(stored >= 100 && stored < 1_000, `${stored} events are stored`)
    assert.equal(issues[4]?.title.split(':')[0], 'NeverSeen', 'the first of an issue is stored')
    const ids = new Set((await harness.events(busy)).map(({ event_id }) => event_id))
    for (const issue of issues) assert.ok(ids.has(issue.last_event_id), 'what an issue leads to is there')
    assert.deepEqual(await harness.outcomes(busy), {
      'error/accepted/': stored,
      'error/filtered/spike': 5_001 - stored,
    })

    const [spike, ...more] = await spikesOf(busy)
    assert.deepEqual(more, [])
    assert.equal(spike?.sampled, 5_001 - stored)
    assert.ok((spike?.kept ?? 0) <= stored && (spike?.kept ?? 0) > 0)
    assert.equal(spike?.peak_per_minute, 5_001)
    assert.deepEqual([spike?.started_ms, spike?.last_ms, spike?.ended_ms], [HOUR_MS, HOUR_MS, null])
    assert.equal((await harness.events(calm)).length, 500, 'without a learnt rate everything is stored')
    assert.deepEqual(await spikesOf(calm), [])
  })

  it('are held to the minute, and not to what was sent twice', async (t) => {
    const project = await harness.createProject('minutes')
    await learn(project, 50)
    for (let minute = 0; minute < 3; minute++)
      await flood(project, 0x20_000 + minute * 0x100, 50, 1, HOUR_MS + minute * MINUTE_MS)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 150, 'the usual is stored')
    assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 150 })
    await flood(project, 0x21_000, 500, 1, HOUR_MS + 9 * MINUTE_MS)
    await until(() => pipeline.state().records === 650, 'the flood is counted')
    const { 'error/filtered/spike': leftOut = 0 } = await harness.outcomes(project)
    assert.ok(leftOut > 300)
    await flood(project, 0x21_000, 500, 1, HOUR_MS + 10 * MINUTE_MS)
    await until(() => pipeline.state().records === 1_150, 'the repeat is looked at')
    assert.equal((await harness.outcomes(project))['error/invalid/duplicate_event'], 500)
    assert.equal((await harness.issues(project))[0]?.event_count, 650)
  })

  it('take the files of an event with it', async (t) => {
    const project = await harness.createProject('files')
    await learn(project, 1)
    for (let at = 0; at < 40; at++) {
      const body = `${errorEnvelope(0x30_000 + at)}{"type":"attachment","length":4,"filename":"a.txt"}\nfile\n`
      await harness.append(project, body, { receivedMs: HOUR_MS, eventId: eventIdOf(0x30_000 + at) })
    }
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 40, 'everything is done')
    const outcomes = await harness.outcomes(project)
    const leftOut = outcomes['error/filtered/spike'] ?? 0
    assert.ok(leftOut > 10)
    assert.equal(outcomes['attachment/filtered/event_dropped'], leftOut)
    assert.equal(outcomes['attachment/accepted/'], 40 - leftOut)
  })

  it('are stored whole where somebody decided: a rate limit of the project, or protection switched off', async (t) => {
    const [limited, off, stale] = [
      await harness.createProject('limited'),
      await harness.createProject('off'),
      await harness.createProject('stale'),
    ]
    const setting = { value: '{}', rate_limit_count: null, rate_limit_window_sec: null, updated_ms: 0 }
    await harness.records
      .insertInto('project_setting')
      .values([
        { ...setting, project_id: limited, rate_limit_count: 1_000, rate_limit_window_sec: 60 },
        { ...setting, project_id: off, is_spike_protected: 0 },
      ])
      .execute()
    await learn(limited, 5)
    await learn(off, 5)
    await learn(stale, 5, Date.now() - 25 * 3_600_000)
    for (const [at, project] of [limited, off, stale].entries())
      await flood(project, 0x40_000 + at * 0x100, 100, 1)
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 300, 'everything is done')
    for (const project of [limited, off, stale])
      assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 100 })
  })

  for (const [at, step] of COMMIT_STEPS.entries())
    it(`are decided once: the same events are left out after a crash after "${step}"`, async () => {
      const project = await harness.createProject(`crash-${step}`)
      await learn(project, 10)
      await flood(project, 0x50_000 + at * 0x1000, 200, 3)
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
      // The minute begins anew meanwhile: what was decided for the batch in flight stays.
      if (step !== 'checked')
        await harness.records.deleteFrom('spike_minute').where('project_id', '=', project).execute()
      const second = await harness.start()
      await until(async () => (await harness.issues(project)).length === 3, 'the issues are there')
      await until(async () => {
        const issues = await harness.issues(project)
        return issues.reduce((sum, { event_count }) => sum + event_count, 0) >= 200
      }, 'everything is counted')
      await second.stop()
      const issues = await harness.issues(project)
      assert.deepEqual(
        issues.map(({ event_count }) => event_count),
        [67, 67, 66],
      )
      const byIssue = await counted(project)
      for (const issue of issues) assert.equal(byIssue.get(issue.id)?.events, issue.event_count)
      const { 'error/accepted/': stored = 0, 'error/filtered/spike': leftOut = 0 } =
        await harness.outcomes(project)
      assert.ok(leftOut > 50)
      assert.equal(stored + leftOut, 200)
      assert.equal((await harness.events(project)).length, stored)
      const spikes = await spikesOf(project)
      assert.equal(
        spikes.reduce((sum, { sampled }) => sum + sampled, 0),
        leftOut,
      )
    })

  it('keep fewer the higher they are', () => {
    assert.deepEqual([1.01, 10, 10.5, 100, 101, 1_000].map(keptShare), [0.1, 0.1, 0.01, 0.01, 0.001, 0.001])
  })
})
