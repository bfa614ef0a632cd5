/** Noise is stored with its class unless the project drops it, and then it is counted with its class. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness, until } from '../commit/harness.ts'

let harness: Harness

const AGENT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

function envelope(id: string, value: string, agent: string, file: string): string {
  const event = {
    platform: 'javascript',
    exception: {
      values: [{ type: 'Error', value, stacktrace: { frames: [{ abs_path: file, lineno: 1 }] } }],
    },
    request: { url: 'https://shop.example/', headers: { 'User-Agent': agent } },
  }
  return `${JSON.stringify({ event_id: id.repeat(32) })}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}

describe('noise in the pipeline', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('is marked where it is kept, and counted by class where it is dropped', async (t) => {
    const project = await harness.createProject('noisy')
    await harness.records
      .insertInto('project_setting')
      .values({
        project_id: project,
        value: JSON.stringify({ noise: { actions: { bot: 'drop' } } }),
        rate_limit_count: null,
        rate_limit_window_sec: null,
        updated_ms: 0,
      })
      .execute()
    await harness.append(project, envelope('a', 'x', '', 'chrome-extension://abc/a.js'))
    await harness.append(project, envelope('b', 'y', AGENT, 'https://shop.example/a.js'))
    await harness.append(project, envelope('c', 'z', '', 'https://shop.example/a.js'))
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    await until(() => pipeline.state().records === 3, 'everything is done')
    assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 2, 'error/filtered/noise:bot': 1 })
    const rows = await harness.telemetry.query(
      `SELECT toString(event_id) AS id, noise_class, tags['noise.rule'] AS rule,
         JSONExtractString(payload, 'derived', 'noise', 'match') AS met
       FROM events WHERE project_id = {project:UInt32} ORDER BY id`,
      { project },
    )
    assert.deepEqual(rows, [
      {
        id: 'a'.repeat(32),
        noise_class: 'extension',
        rule: 'extension_frame',
        met: 'chrome-extension://abc',
      },
      { id: 'c'.repeat(32), noise_class: '', rule: '', met: '' },
    ])
  })
})
