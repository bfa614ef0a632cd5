/** Whatever step of a commit is the last one before a crash: afterwards everything is there exactly once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { UnavailableError } from '@sonde/base'
import { RefusedRows, type Telemetry } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { deadLetters } from '../../src/index.ts'
import { errorEnvelope, openHarness, transactionEnvelope, until, type Harness } from './harness.ts'

let harness: Harness

const checkIn = (id: number): string =>
  `{"sent_at":"2026-01-01T00:00:00Z"}\n{"type":"check_in"}\n${JSON.stringify({
    check_in_id: id.toString(16).padStart(32, '0'),
    monitor_slug: 'nightly',
    status: 'ok',
  })}\n`

/** Two issues, a page load, a check-in, one duplicate of each, one thing that is only counted, one dead letter. */
async function appendMixture(project: number, firstId: number): Promise<void> {
  await harness.append(project, errorEnvelope(firstId, 'A'))
  await harness.append(project, errorEnvelope(firstId + 1, 'B'))
  await harness.append(project, errorEnvelope(firstId, 'A'))
  await harness.append(project, `{}\n{"type":"statsd"}\n{}\n`)
  await harness.append(project, transactionEnvelope(firstId + 5))
  await harness.append(project, transactionEnvelope(firstId + 5))
  for (let again = 0; again < 2; again++) await harness.append(project, checkIn(firstId))
  await harness.append(project, 'no envelope')
  await harness.append(project, errorEnvelope(firstId + 2, 'A'))
}

async function assertOnce(project: number): Promise<void> {
  assert.equal((await harness.events(project)).length, 3)
  const index = await harness.telemetry.query<{ n: number }>(
    'SELECT count() AS n FROM event_index WHERE project_id = {project:UInt32}',
    { project },
  )
  assert.equal(Number(index[0]?.n), 5)
  for (const [table, rows] of [
    ['spans', 2],
    ['vitals', 1],
  ] as const) {
    const sql = `SELECT count() AS n FROM ${table} WHERE project_id = {project:UInt32}`
    const [found] = await harness.telemetry.query<{ n: number }>(sql, { project })
    assert.equal(Number(found?.n), rows, table)
  }
  assert.deepEqual(
    (await harness.issues(project)).map((issue) => [issue.short_number, issue.title, issue.event_count]),
    [
      [1, 'A: it broke', 2],
      [2, 'B: it broke', 1],
    ],
  )
  const arrivals = harness.records
    .selectFrom('cron_arrival')
    .select('value')
    .where('project_id', '=', project)
  assert.equal((await arrivals.execute()).length, 1)
  const changes = harness.records.selectFrom('issue_change').select('kind').where('project_id', '=', project)
  assert.deepEqual(await changes.execute(), [{ kind: 'new' }, { kind: 'new' }])
  assert.deepEqual(await harness.outcomes(project), {
    'default/failed/digest_error': 1,
    'error/accepted/': 3,
    'error/invalid/duplicate_event': 1,
    'monitor/accepted/': 1,
    'monitor/invalid/duplicate_event': 1,
    'metric_bucket/unsupported/discontinued': 1,
    'span/accepted/': 2,
    'span/invalid/duplicate_event': 2,
    'transaction/accepted/': 1,
    'transaction/invalid/duplicate_event': 1,
  })
  const dead = await deadLetters(harness).list()
  assert.equal(dead.filter((letter) => letter.projectId === project).length, 1)
}

const refuse = (): Promise<never> => Promise.reject(new Error('gone'))

describe('crash', () => {
  before(async () => {
    harness = await openHarness()
  })

  after(() => harness.close())

  describe('a crash', () => {
    for (const [at, step] of COMMIT_STEPS.entries()) {
      it(`after "${step}" loses nothing and doubles nothing`, async () => {
        const project = await harness.createProject(`crash-${step}`)
        const firstId = 0x1000 + at * 0x10
        await appendMixture(project, firstId)
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

        // More arrives before the next start: the interrupted batch must not grow.
        const later = await harness.createProject(`later-${step}`)
        await harness.append(later, errorEnvelope(firstId + 0xa))
        const second = await harness.start()
        await until(async () => (await harness.events(later)).length === 1, 'the rest is stored')
        await second.stop()
        await assertOnce(project)
      })
    }

    it('after each step in turn, on one batch, loses nothing and doubles nothing', async () => {
      const project = await harness.createProject('crash-all')
      await appendMixture(project, 0x2000)
      for (const step of COMMIT_STEPS.slice(0, -2)) {
        let crashed = false
        const pipeline = await harness.start({
          afterStep(now) {
            if (now !== step) return
            crashed = true
            throw new Error('crash')
          },
        })
        await until(() => crashed, `it crashes after ${step}`)
        await pipeline.stop()
      }
      const last = await harness.start()
      await until(async () => (await harness.issues(project))[0]?.event_count === 2, 'the batch is counted')
      await last.stop()
      await assertOnce(project)
    })
  })

  describe('a store in trouble', () => {
    it('is tried again until it works, and says so meanwhile', async () => {
      const project = await harness.createProject('trouble')
      await harness.append(project, errorEnvelope(0x3000))
      let failures = 0
      const telemetry: Telemetry = {
        ...harness.telemetry,
        insert(table, rows, token) {
          if (table !== 'event_index' || ++failures > 2) return harness.telemetry.insert(table, rows, token)
          const details = { operation: 'insert', retryAfterSec: 1 }
          return Promise.reject(new UnavailableError('the disk is full', details))
        },
      }
      const pipeline = await harness.start({ telemetry })
      await until(() => pipeline.state().trouble?.attempts === 2, 'trouble shows')
      assert.equal(pipeline.state().trouble?.message, 'the disk is full')
      await until(() => pipeline.state().events === 1, 'the event is stored')
      assert.equal(pipeline.state().trouble, undefined)
      await pipeline.stop()
      assert.equal((await harness.events(project)).length, 1)
      assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 1 })
    })

    it('after the counting does not count twice', async () => {
      const project = await harness.createProject('counted-once')
      await harness.append(project, errorEnvelope(0x3050))
      let failures = 0
      const pipeline = await harness.start({
        afterStep(step) {
          if (step === 'counted' && failures++ === 0) throw new Error('the log does not answer')
        },
      })
      await until(() => pipeline.state().records === 1, 'the batch is done')
      await pipeline.stop()
      assert.equal(failures, 1)
      assert.deepEqual(
        (await harness.issues(project)).map((issue) => issue.event_count),
        [1],
      )
    })

    it('does not keep the pipeline from stopping', async () => {
      const project = await harness.createProject('stuck')
      await harness.append(project, errorEnvelope(0x3100))
      const pipeline = await harness.start({ telemetry: { ...harness.telemetry, query: refuse } })
      await until(() => (pipeline.state().trouble?.attempts ?? 0) > 1, 'trouble shows')
      const beganMs = performance.now()
      await pipeline.stop()
      assert.ok(performance.now() - beganMs < 2000)
      const next = await harness.start()
      await until(async () => (await harness.events(project)).length === 1, 'the next start stores it')
      await next.stop()
    })

    it('refuses one row for its content: that one becomes a dead letter, the others are stored', async () => {
      const project = await harness.createProject('refused')
      for (let id = 0; id < 5; id++)
        await harness.append(project, errorEnvelope(0x3200 + id, id === 3 ? 'Poison' : 'Fine'))
      const telemetry: Telemetry = {
        ...harness.telemetry,
        insert(table, rows, token) {
          if (table !== 'events' || !rows.some((row) => String(row).includes('Poison')))
            return harness.telemetry.insert(table, rows, token)
          return Promise.reject(new RefusedRows('Code 27', { operation: 'insert' }))
        },
      }
      const pipeline = await harness.start({ telemetry })
      await until(() => pipeline.state().records === 5, 'the batch is done')
      assert.equal(pipeline.state().events, 4)
      await pipeline.stop()
      assert.equal((await harness.events(project)).length, 4)
      const letter = (await deadLetters(harness).list({ limit: 1 }))[0]
      assert.deepEqual([letter?.reason, letter?.projectId], ['store_refused', project])
      assert.deepEqual(await harness.outcomes(project), {
        'error/accepted/': 4,
        'error/failed/digest_error': 1,
      })

      const healed = await harness.start()
      await deadLetters(harness).replay(letter?.id ?? 0, (bytes) => harness.writer.append(bytes))
      await deadLetters(harness).replay(letter?.id ?? 0, (bytes) => harness.writer.append(bytes))
      await until(() => healed.state().duplicates === 1, 'the second replay is a duplicate')
      await healed.stop()
      assert.equal((await harness.events(project)).length, 5)
    })
  })
})
