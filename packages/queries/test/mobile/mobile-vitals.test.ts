/** Starts, frames and displays of mobile apps on the real engine. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mobileVitals } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { spanIdOf, traceFixture } from '../trace-fixture.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }

describe('mobile vitals', () => {
  let harness: Harness
  let app: ProjectGrant
  before(async () => {
    harness = await openHarness()
    app = await harness.project(await harness.org('acme'), 'app')
    const screen = { isSegment: true, op: 'ui.load', segmentName: 'MainActivity' }
    await traceFixture(harness, 'a'.repeat(32), app.projectId).spans([
      {
        ...screen,
        spanId: spanIdOf(1),
        attributes: {
          app_start_cold: 800,
          frames_total: 90,
          frames_slow: 9,
          frames_frozen: 0,
          time_to_initial_display: 300,
        },
      },
      {
        ...screen,
        spanId: spanIdOf(2),
        release: '2.0',
        attributes: {
          'app.vitals.start.cold.value': 600,
          'app.vitals.frames.total.count': 10,
          'app.vitals.frames.frozen.count': 1,
        },
      },
      { isSegment: true, op: 'http.server', spanId: spanIdOf(3), segmentName: 'GET /' },
    ])
  })
  after(() => harness.close())

  it('are told by screen, under old names and new, without what is no app', async () => {
    const [row, ...others] = await mobileVitals(harness.deps, app, WINDOW, 'screen')
    assert.ok(row)
    assert.deepEqual(others, [])
    assert.deepEqual([row.name, row.coldStart.count, row.warmStart], ['MainActivity', 2, { count: 0 }])
    assert.ok((row.coldStart.p95Ms ?? 0) > 780)
    assert.deepEqual([row.frames, row.slowRate, row.frozenRate], [100, 0.09, 0.01])
    assert.equal(row.initialDisplay.count, 1)
  })

  it('are told by release', async () => {
    const rows = await mobileVitals(harness.deps, app, WINDOW, 'release')
    assert.deepEqual(
      rows.map(({ name, frames }) => [name, frames]),
      [
        ['1.0', 90],
        ['2.0', 10],
      ],
    )
  })
})
