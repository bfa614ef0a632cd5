/** A sample event goes the whole way: HTTP, door, log, pipeline, store. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createAccess, operatorViewer, type Grant } from '@sonde/access'
import { createMetrics, createStopStack, silentLogger, systemClock } from '@sonde/base'
import { ensureProject, type SendTestEvent, setProjectRateLimit, updateKey } from '@sonde/commands'
import { createIngest } from '@sonde/ingest'
import { openLogReader, openLogWriter } from '@sonde/log'
import { startPipeline } from '@sonde/pipeline'
import {
  openBlobs,
  openKeySource,
  openRecords,
  openTelemetry,
  type Records,
  type Telemetry,
} from '@sonde/stores'
import { createSendTestEvent, frontUrlOf } from '../../src/back/test-event.ts'
import { listen } from '../../src/front/listen.ts'

const logger = silentLogger
const clock = systemClock
const PLATFORMS = [
  ['javascript', 'javascript', 'TypeError', 'formatTotal'],
  ['javascript-react', 'javascript', 'TypeError', 'formatTotal'],
  ['javascript-nextjs', 'javascript', 'TypeError', 'formatTotal'],
  ['javascript-vue', 'javascript', 'TypeError', 'formatTotal'],
  ['javascript-svelte', 'javascript', 'TypeError', 'formatTotal'],
  ['node', 'node', 'TypeError', 'formatTotal'],
  ['python', 'python', 'KeyError', 'format_total'],
  ['python-django', 'python', 'KeyError', 'format_total'],
  ['go', 'go', '*cart.MissingTotalError', 'Total'],
  ['ruby', 'ruby', 'NoMethodError', 'total'],
  ['php', 'php', 'ErrorException', 'App\\Cart::formatTotal'],
  ['java', 'java', 'NullPointerException', 'total'],
  ['dotnet', 'csharp', 'System.NullReferenceException', 'string CartFormatter.Total(Cart cart)'],
  ['brainfuck', 'javascript', 'TypeError', 'formatTotal'],
] as const

describe('a test event', () => {
  const stops = createStopStack(logger)
  let records: Records
  let telemetry: Telemetry
  let send: SendTestEvent
  let commands: Parameters<typeof ensureProject>[0]
  before(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sonde-test-event-'))
    stops.push('folder', () => rm(dir, { recursive: true, force: true }))
    const file = join(dir, 'records.sqlite')
    const opened = await openRecords({ file }, { logger })
    stops.push('records', () => opened.close())
    records = opened.db
    telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger })
    stops.push('telemetry', () => telemetry.close())
    const logDir = join(dir, 'log')
    const writer = await openLogWriter({ dir: logDir, logger, clock })
    stops.push('writer', () => writer.close())
    const keys = await openKeySource({ file })
    stops.push('keys', () => keys.close())
    const metrics = createMetrics()
    const options = { log: writer, keys, region: 'local', regions: {}, trustProxy: 0 }
    const ingest = createIngest({ ...options, clock, logger, metrics })
    stops.push('ingest', () => ingest.stop())
    const listening = await listen((req, res) => void ingest.handle(req, res), { host: '127.0.0.1', port: 0 })
    stops.push('port', () => listening.stop(1_000))
    const log = await openLogReader({ dir: logDir, logger, pollMs: 5 })
    stops.push('log', () => log.close())
    const blobs = openBlobs({ dir: join(dir, 'blobs') })
    const workers = { threads: 0 }
    const pipeline = await startPipeline({ log, records, telemetry, blobs, clock, logger, workers })
    stops.push('pipeline', () => pipeline.stop())
    const frontUrl = frontUrlOf({ host: '127.0.0.1', port: listening.port })
    send = createSendTestEvent({ records, clock, logger, frontUrl })
    const secret = 'a secret of at least thirty-two characters'
    const access = createAccess({ records, secret, publicUrl: 'http://sonde.test', clock, logger })
    commands = { records, access, clock }
  })
  after(() => stops.stopAll())

  const project = async (slug: string, platform: string): Promise<Grant<'event:write', 'project'>> => {
    await ensureProject(commands, operatorViewer, { org: 'acme', slug, platform })
    return commands.access.openProject(operatorViewer, 'acme', slug, 'event:write')
  }
  type Row = { platform: string; exception_type: string; culprit: string; sample: string; payload: string }
  async function stored(grant: Grant<'event:write', 'project'>, eventId: string): Promise<Row> {
    const endMs = Date.now() + 10_000
    for (;;) {
      const [row] = await telemetry.query<Row>(
        `SELECT platform, exception_type, culprit, tags['sample'] AS sample, payload FROM events
         WHERE project_id = {project:UInt32} AND event_id = {id:String}`,
        { project: grant.projectId, id: eventId },
      )
      if (row) return row
      assert.ok(Date.now() < endMs, 'it is stored within ten seconds')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  for (const [platform, stored_as, type, thrower] of PLATFORMS) {
    it(`of ${platform} looks like one, and is marked`, async () => {
      const grant = await project(`p-${platform}`, platform)
      const sent = await send(grant)
      assert.ok(sent.ok)
      const row = await stored(grant, sent.eventId)
      assert.deepEqual([row.platform, row.exception_type, row.sample], [stored_as, type, 'yes'])
      const { exception, errors, _meta } = JSON.parse(row.payload)
      const frames = exception[0].stacktrace.frames
      assert.deepEqual([errors, _meta], [undefined, undefined], 'nothing of it was refused or cut')
      assert.equal(frames.at(-1).function, thrower)
      assert.ok(frames.at(-1).in_app && frames.at(-1).context_line !== '')
      assert.equal(frames[0].in_app, false)
    })
  }

  it('two of them are one issue', async () => {
    const grant = await project('twice', 'go')
    for (const sent of [await send(grant), await send(grant)])
      assert.ok(sent.ok && (await stored(grant, sent.eventId)))
    const issues = await records
      .selectFrom('issue')
      .select('id')
      .where('project_id', '=', grant.projectId)
      .execute()
    assert.equal(issues.length, 1)
  })

  it('says what stands in its way: a limit, or no key', async () => {
    const grant = await project('closed', 'node')
    const target = { org: 'acme', project: 'closed' }
    await setProjectRateLimit(
      commands,
      await commands.access.openProject(operatorViewer, target.org, target.project, 'project:write'),
      { ...target, rateLimit: { count: 0, windowSec: 60 } },
    )
    // Until the front has read the limit it lets them in.
    let limited = await send(grant)
    for (const endMs = Date.now() + 10_000; limited.ok && Date.now() < endMs;) limited = await send(grant)
    assert.ok(!limited.ok && /rate limit.*60 seconds/.test(limited.message), JSON.stringify(limited))
    const keys = await records
      .selectFrom('project_key')
      .select('id')
      .where('project_id', '=', grant.projectId)
      .execute()
    for (const { id: keyId } of keys)
      await updateKey(
        commands,
        await commands.access.openProject(operatorViewer, target.org, target.project, 'project:write'),
        { ...target, keyId, isActive: false },
      )
    const closed = await send(grant)
    assert.ok(!closed.ok && /Every key/.test(closed.message))
  })

  it('says when nobody answers', async () => {
    const nowhere = createSendTestEvent({ records, clock, logger, frontUrl: 'http://127.0.0.1:9' })
    const sent = await nowhere(await project('nowhere', 'node'))
    assert.ok(!sent.ok && /did not answer/.test(sent.message))
  })

  it('the front is reached by the loopback address when it listens on every one', () => {
    assert.equal(frontUrlOf({ host: '0.0.0.0', port: 1 }), 'http://127.0.0.1:1')
    assert.equal(frontUrlOf({ host: '::', port: 1 }), 'http://[::1]:1')
    assert.equal(frontUrlOf({ host: '::1', port: 1 }), 'http://[::1]:1')
    assert.equal(frontUrlOf({ host: 'localhost', port: 1 }), 'http://localhost:1')
  })
})
