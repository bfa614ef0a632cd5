/** Sampling rules of a project through the real pipeline: what is stored, what is counted, and what is told add up. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { capWindow, DEFAULT_PROJECT_SETTINGS, type SamplingRules, spanUsage, usedSpans } from '@sonde/stores'
import type { CommitStep } from '../../src/commit/commit-batch.ts'
import { traceShare } from '../../src/spans/sample-spans.ts'
import { errorEnvelope, eventIdOf, openHarness, transactionEnvelope, until, type Harness } from './harness.ts'

let harness: Harness

const ALL = { route: '', op: '', release: '', environment: '' }
const IDS = Array.from({ length: 60 }, (_, n) => 0x5000 + n)
const RATE = 0.25
const KEPT = IDS.filter((id) => traceShare(eventIdOf(id)) < RATE)

async function projectWith(slug: string, sampling: SamplingRules): Promise<number> {
  const id = await harness.createProject(slug)
  const value = JSON.stringify({ ...DEFAULT_PROJECT_SETTINGS, sampling })
  const limit = { rate_limit_count: null, rate_limit_window_sec: null }
  await harness.records
    .insertInto('project_setting')
    .values({ project_id: id, value, ...limit, updated_ms: 0 })
    .execute()
  return id
}
/** With a root span of its own: of several values that one page told, one counts. */
const pageLoad = (id: number): string =>
  transactionEnvelope(id).replaceAll('b'.repeat(16), eventIdOf(id).slice(16))
const rowsOf = (project: number, table: string) =>
  harness.telemetry.query<{ trace: string; rate: number }>(
    `SELECT trace_id AS trace, sample_rate AS rate FROM ${table} WHERE project_id = {project:UInt32}`,
    { project },
  )

describe('sampling', () => {
  before(async () => {
    harness = await openHarness()
  })

  after(() => harness.close())

  describe('sampling rules of a project', () => {
    for (const threads of [0, 1])
      it(`keep a share of its traces, all of its errors and vitals, and tell what they left out (${threads} threads)`, async () => {
        const rules = [{ ...ALL, route: '/cart', rate: RATE }]
        const sampled = await projectWith(`sampled-${threads}`, { rules, sampleMeasured: false })
        const whole = await harness.createProject(`whole-${threads}`)
        const pipeline = await harness.start({ workers: { threads } })
        for (const id of IDS)
          for (const project of [sampled, whole]) await harness.append(project, pageLoad(id))
        await harness.append(sampled, errorEnvelope(0x6000 + threads))
        await until(async () => (await harness.events(sampled)).length === 1, 'the last item is stored')
        await pipeline.stop()

        assert.ok(KEPT.length > 5 && KEPT.length < 30, `a share of them: ${KEPT.length}`)
        const spans = await rowsOf(sampled, 'spans')
        assert.deepEqual(
          [...new Set(spans.map(({ trace }) => trace))].toSorted(),
          KEPT.map((id) => eventIdOf(id)),
          'the same traces wherever the rate is the same',
        )
        assert.deepEqual([spans.length, spans.every(({ rate }) => rate === RATE)], [2 * KEPT.length, true])
        const vitals = await rowsOf(sampled, 'vitals')
        assert.deepEqual([vitals.length, vitals.every(({ rate }) => rate === 1)], [IDS.length, true])
        const left = IDS.length - KEPT.length
        assert.deepEqual(await harness.outcomes(sampled), {
          'error/accepted/': 1,
          'span/accepted/': 2 * KEPT.length,
          'span/filtered/sampled:/cart': 2 * left,
          'transaction/accepted/': KEPT.length,
          'transaction/filtered/sampled:/cart': left,
        })
        assert.equal((await rowsOf(whole, 'spans')).length, 2 * IDS.length, 'no other project’s')
      })

    it('that leave nothing of an item store nothing of it', async () => {
      const none = await projectWith('none', { rules: [{ ...ALL, rate: 0 }], sampleMeasured: true })
      const pipeline = await harness.start()
      await harness.append(none, transactionEnvelope(0x7000))
      await harness.append(none, errorEnvelope(0x7001))
      await until(async () => (await harness.events(none)).length === 1, 'the error is stored')
      await pipeline.stop()
      for (const table of ['spans', 'vitals']) assert.deepEqual(await rowsOf(none, table), [], table)
      const [index] = await harness.telemetry.query<{ n: number }>(
        'SELECT count() AS n FROM event_index WHERE project_id = {none:UInt32}',
        { none },
      )
      assert.equal(index?.n, 1, 'only the error’s')
      assert.deepEqual(await harness.outcomes(none), {
        'error/accepted/': 1,
        'span/filtered/sampled:everything': 2,
        'transaction/filtered/sampled:everything': 1,
      })
    })
  })

  describe('a cap of spans', () => {
    const DAY_MS = 86_400_000
    // The same all through the test, which may run over midnight.
    const receivedMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + 1_000
    const settings = (project: number) =>
      harness.records
        .selectFrom('project_setting')
        .select('spans_refused_until_ms as untilMs')
        .where('project_id', '=', project)
        .executeTakeFirstOrThrow()
    const used = async (project: number): Promise<number> =>
      usedSpans(await spanUsage(harness.records, project, capWindow('day', receivedMs)))

    const counted = async (project: number): Promise<boolean> =>
      (await harness.issues(project)).some((issue) => issue.event_count === 1)

    // Before, between and after what is stored and what is counted.
    for (const step of ['marked', 'outcomes', 'counted'] as const satisfies readonly CommitStep[])
      it(`counts what was stored once, sampled or sent again, through a crash at "${step}"`, async (t) => {
        const sampling = { rules: [{ ...ALL, route: '/health', rate: 0 }], sampleMeasured: false }
        const project = await projectWith(`capped-${step}`, sampling)
        const cap = { span_cap_count: 5, span_cap_period: 'day' }
        await harness.records
          .updateTable('project_setting')
          .set(cap)
          .where('project_id', '=', project)
          .execute()
        let crashed = false
        const broken = await harness.start({
          afterStep(now) {
            if (now !== step || crashed) return
            crashed = true
            throw new Error('crash')
          },
        })
        const health = pageLoad(0x8001).replaceAll('/cart', '/health')
        for (const body of [pageLoad(0x8000), health, pageLoad(0x8000), pageLoad(0x8002)])
          await harness.append(project, body, { receivedMs })
        try {
          await until(() => crashed, 'it crashes')
        } finally {
          await broken.stop()
        }
        const later = await harness.start()
        t.after(() => later.stop())
        await harness.append(project, errorEnvelope(0x9000))
        await until(() => counted(project), 'everything is counted')
        assert.equal(await used(project), 4, 'two page loads of two spans')
        assert.equal((await settings(project)).untilMs, null)
        await harness.append(project, pageLoad(0x8003), { receivedMs })
        await until(async () => (await used(project)) === 6, 'the cap is reached')
        assert.equal((await settings(project)).untilMs, capWindow('day', receivedMs).toMs)
      })
  })
})
