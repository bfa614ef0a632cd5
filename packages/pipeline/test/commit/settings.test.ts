/** Settings of projects reach the threads, and a batch that is repeated is processed as it was the first time. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_PROJECT_SETTINGS, type FilterRules, type ScrubRules } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { errorEnvelope, openHarness, until, type Harness } from './harness.ts'

let harness: Harness

async function change(
  project: number,
  rules: { filters?: Partial<FilterRules>; scrub?: Partial<ScrubRules> },
): Promise<void> {
  const { filters, scrub } = DEFAULT_PROJECT_SETTINGS
  const value = JSON.stringify({
    filters: { ...filters, ...rules.filters },
    scrub: { ...scrub, ...rules.scrub },
  })
  const limit = { rate_limit_count: null, rate_limit_window_sec: null }
  await harness.records
    .insertInto('project_setting')
    .values({ project_id: project, value, ...limit, updated_ms: 0 })
    .onConflict((on) => on.column('project_id').doUpdateSet({ value }))
    .execute()
}
// As long as a process may go on with what it knows.
const KNOWN_FOR_MS = 300
let aheadMs = 0
const clock = { nowMs: () => Date.now() + aheadMs }
const counted = async (project: number): Promise<number> =>
  (await harness.issues(project)).reduce((sum, issue) => sum + issue.event_count, 0)
const DROP_A = { filters: { messages: ['A: *'] } }

describe('settings of a project', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  for (const threads of [0, 1]) {
    it(`hold for the events of that project alone, without a restart (${threads} threads)`, async () => {
      const [own, other] = [
        await harness.createProject(`own-${threads}`),
        await harness.createProject(`o-${threads}`),
      ]
      const first = 0x100 + threads * 0x100
      const pipeline = await harness.start({ clock, workers: { threads } })
      await harness.append(own, errorEnvelope(first, 'A'))
      await until(async () => (await counted(own)) === 1, 'the first event is stored')
      await change(own, { ...DROP_A, scrub: { sensitiveFields: ['iban'] } })
      aheadMs += KNOWN_FOR_MS
      await harness.append(own, errorEnvelope(first + 1, 'A'))
      await harness.append(own, errorEnvelope(first + 2, 'B', { extra: { iban: 'DE0212030000' } }))
      await harness.append(other, errorEnvelope(first + 3, 'A', { extra: { iban: 'DE0212030000' } }))
      await until(async () => (await counted(other)) === 1, 'the last event is stored')
      await pipeline.stop()
      assert.deepEqual(await harness.outcomes(own), {
        'error/accepted/': 2,
        'error/filtered/error_message': 1,
      })
      const payloads = await harness.telemetry.query<{ project_id: number; payload: string }>(
        'SELECT project_id, payload FROM events WHERE project_id IN {projects:Array(UInt32)}',
        { projects: [own, other] },
      )
      const kept = payloads.filter(({ payload }) => payload.includes('DE0212030000'))
      assert.deepEqual(
        kept.map((row) => row.project_id),
        [other],
      )
    })
  }

  for (const [at, step] of COMMIT_STEPS.entries()) {
    it(`changed after a crash at "${step}" leave the repeated batch as it was`, async () => {
      const [on, off] = [
        await harness.createProject(`on-${step}`),
        await harness.createProject(`off-${step}`),
      ]
      const first = 0x1000 + at * 0x10
      await change(off, DROP_A)
      let crashed = false
      const broken = await harness.start({
        afterStep(now) {
          if (now !== step || crashed) return
          crashed = true
          throw new Error('crash')
        },
      })
      await harness.append(on, errorEnvelope(first, 'A'))
      await harness.append(off, errorEnvelope(first + 1, 'A'))
      await harness.append(off, errorEnvelope(first + 2, 'B'))
      await until(() => crashed, 'it crashes')
      await broken.stop()

      await change(on, DROP_A)
      await change(off, {})
      await harness.append(on, errorEnvelope(first + 3, 'B'))
      const later = await harness.start()
      await until(
        async () => (await harness.events(on)).some((event) => event.title.startsWith('B')),
        'it ends',
      )
      await later.stop()
      for (const project of [on, off]) {
        // However each record was processed: what is stored, what is counted and what is told are the same number.
        const stored = (await harness.events(project)).length
        assert.equal(await counted(project), stored)
        assert.equal((await harness.outcomes(project))['error/accepted/'] ?? 0, stored)
        const issues = (await harness.issues(project)).filter((issue) => issue.event_count === 0)
        assert.deepEqual(issues, [], 'no issue without events')
      }
    })
  }
})
