/** Scrubbing rules of today, applied to events that were stored before. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_PROJECT_SETTINGS } from '@sonde/stores'
import type { Pipeline } from '../../src/index.ts'
import { openReprocessingHarness, type ReprocessingHarness } from './reprocessing-harness.ts'
import { debugIdOf, scriptError } from './script-error.ts'

describe('scrubbing what is stored', () => {
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

  it('changes neither issues nor counts, and the second time nothing', async () => {
    const project = await harness.createProject('scrubbed')
    for (const [index, value] of ['a broke', 'b broke', 'nickname=Anna'].entries())
      await harness.append(project, scriptError({ id: index + 1, value, column: 400, debugId: debugIdOf(1) }))
    await harness.stored(project, 3)
    const before = await harness.issues(project)
    const scrub = { ...DEFAULT_PROJECT_SETTINGS.scrub, sensitiveFields: ['nickname'] }
    const value = JSON.stringify({ ...DEFAULT_PROJECT_SETTINGS, scrub })
    await harness.records
      .insertInto('project_setting')
      .values({
        project_id: project,
        value,
        rate_limit_count: null,
        rate_limit_window_sec: null,
        updated_ms: 0,
      })
      .execute()
    const run = async () => {
      const id = await harness.ask({ projectIds: [project], scrub: true }, 'asked')
      const reprocessing = harness.startReprocessing(pipeline, {}, { pipeline })
      await harness.finished(id)
      await reprocessing.stop()
      return harness.reprocessing(id)
    }
    const first = await run()
    assert.deepEqual([first.seen_count, first.changed_count, first.moved_count], [3, 1, 0])
    const payloads = await harness.telemetry.query<{ payload: string }>(
      'SELECT payload FROM events WHERE project_id = {project:UInt32} ORDER BY event_id',
      { project },
    )
    assert.equal(payloads.length, 3)
    assert.ok(payloads[2]?.payload.includes('nickname=[Filtered]'))
    assert.ok(payloads.every(({ payload }) => !payload.includes('Anna')))
    const titleOf = (title: string): string => title.replace('Anna', '[Filtered]')
    assert.deepEqual(
      (await harness.issues(project)).map(({ id, title, event_count }) => [id, title, event_count]),
      before.map(({ id, title, event_count }) => [id, titleOf(title), event_count]),
    )
    assert.deepEqual(await harness.misplaced(project), [])
    const again = await run()
    assert.deepEqual([again.seen_count, again.changed_count], [3, 0])
  })
})
