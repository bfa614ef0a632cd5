/** Crash reports of Unreal Engine: a real one, both layouts, through both doors; hostile ones are refused before they take memory. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createEnvelope, parseEnvelope, serializeEnvelope } from '@sonde/protocol'
import { KEY, PROJECT } from '../support/keys.ts'
import { send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'
import { archiveOf } from './unreal-archive.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'relay', 'native')
const REPORT = readFileSync(join(FIXTURES, 'unreal_crash'))
const PATH = `/api/${PROJECT}/unreal/${KEY}/`
const headers = { 'Content-Type': 'application/octet-stream' }
let server: Running

const itemsOf = (body: Uint8Array) =>
  parseEnvelope(body).items.map(({ header, payload }) => [
    header['filename'] ?? header.type,
    header['attachment_type'],
    payload.length,
  ])

describe('the endpoint for crashes of Unreal Engine', () => {
  before(async () => {
    server = await startIngest()
  })
  after(() => server.close())

  test('takes a report as the engine sends it, and answers with the id of its event', async () => {
    const sent = await send(server.port, `${PATH}?AppID=CrashReporter`, { body: REPORT, headers })
    assert.equal(sent.status, 200)
    assert.match(sent.body, /^[0-9a-f]{32}$/)
    const record = (await server.envelopes()).at(-1)
    assert.deepEqual(itemsOf(record!.body), [
      ['event', undefined, 67],
      ['CrashReportClient.ini', 'event.attachment', 232],
      ['UE4Minidump.dmp', 'event.minidump', 365_480],
      ['YetAnother.log', 'unreal.logs', 23_225],
      ['CrashContext.runtime-xml', 'unreal.context', 6_712],
    ])
  })

  test('takes the layout of newer engines, with the header in front', async () => {
    const files = [{ name: 'CrashContext.runtime-xml', bytes: Buffer.from('<FGenericCrashContext/>') }]
    const body = archiveOf(files, { isMarked: true })
    assert.equal((await send(server.port, PATH, { body, headers })).status, 200)
    const record = (await server.envelopes()).at(-1)
    assert.deepEqual(itemsOf(record!.body).slice(1), [['CrashContext.runtime-xml', 'unreal.context', 23]])
  })

  test('takes the report as an item of an envelope, beside the event that it belongs to', async () => {
    const eventId = 'ab'.repeat(16)
    const envelope = createEnvelope({ event_id: eventId }, [
      { header: { type: 'unreal_report' }, payload: REPORT },
      { header: { type: 'event' }, payload: Buffer.from('{"release":"shop@1"}') },
    ])
    const path = `/api/${PROJECT}/envelope/?sentry_key=${KEY}`
    assert.equal(
      (await send(server.port, path, { body: Buffer.from(serializeEnvelope(envelope)) })).status,
      200,
    )
    const record = (await server.envelopes()).at(-1)
    assert.equal(parseEnvelope(record!.body).header['event_id'], eventId)
    assert.deepEqual(
      itemsOf(record!.body).map(([name]) => name),
      ['CrashReportClient.ini', 'UE4Minidump.dmp', 'YetAnother.log', 'CrashContext.runtime-xml', 'event'],
    )
  })

  test('refuses what is no report, what is cut, and what unpacks to more than is taken', async () => {
    const statusOf = async (body: Buffer): Promise<number> =>
      (await send(server.port, PATH, { body, headers })).status
    assert.equal(await statusOf(Buffer.from('MDMP')), 400)
    assert.equal(await statusOf(deflateSync(Buffer.from('CR1'))), 400)
    assert.equal(await statusOf(REPORT.subarray(0, 20_000)), 400)
    const many = Array.from({ length: 40 }, (_, at) => ({ name: `${at}.txt`, bytes: Buffer.from('x') }))
    assert.equal(await statusOf(archiveOf(many, { isMarked: true })), 400)
    const bomb = archiveOf([{ name: 'zero.bin', bytes: Buffer.alloc(64 * 1024 * 1024) }], { isMarked: true })
    assert.ok(bomb.length < 200_000)
    assert.equal(await statusOf(bomb), 413)
    assert.equal(
      (await send(server.port, `/api/${PROJECT}/unreal/${'0'.repeat(32)}/`, { body: REPORT, headers }))
        .status,
      403,
    )
  })
})
