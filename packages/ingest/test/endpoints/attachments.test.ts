/** Files by themselves, and those beside an event: what is taken, what is refused, what is counted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseEnvelope } from '@sonde/protocol'
import { KEY, LIMITED_KEY, PROJECT, UNKNOWN_KEY } from '../support/keys.ts'
import { ENVELOPE_PATH, EVENT_ID, send, type Sent } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

const doorOf = (key: string, eventId = EVENT_ID): string =>
  `/api/${PROJECT}/events/${eventId}/attachments/?sentry_key=${key}`
let server: Running

/** As a browser's or Python's form would be sent. */
async function sendForm(
  path: string,
  files: readonly File[],
  fields = {},
  port = server.port,
): Promise<Sent> {
  const form = new FormData()
  for (const [name, value] of Object.entries<string>(fields)) form.append(name, value)
  for (const file of files) form.append('file', file)
  const built = new Response(form)
  const body = new Uint8Array(await built.arrayBuffer())
  return send(port, path, { body, headers: { 'Content-Type': built.headers.get('content-type') ?? '' } })
}

const FILE = [new File(['x'], 'x.txt')]

describe('attachments door', () => {
  before(async () => {
    server = await startIngest()
  })

  after(() => server.close())

  test('files of a form become attachment items of one envelope, byte for byte', async () => {
    const binary = Uint8Array.from({ length: 1000 }, (_, at) => at % 256)
    const files = [
      new File([binary], 'größe "1".bin', { type: 'application/x-thing' }),
      new File([], 'empty.txt', { type: 'text/plain' }),
      new File(['a\r\n--b\r\n'], '../up.log'),
    ]
    const sent = await sendForm(doorOf(KEY, EVENT_ID.toUpperCase()), files, { note: 'no file' })
    assert.deepEqual([sent.status, sent.body], [201, '{}'])
    assert.equal(sent.headers['access-control-allow-origin'], '*')
    const stored = (await server.envelopes()).at(-1)
    assert.equal(stored?.meta.eventId, EVENT_ID)
    const { items } = parseEnvelope(stored?.body ?? Buffer.alloc(0))
    assert.deepEqual(
      items.map(({ header }) => [header.type, header['filename'], header['content_type']]),
      [
        ['attachment', 'größe "1".bin', 'application/x-thing'],
        ['attachment', 'empty.txt', 'text/plain'],
        ['attachment', '../up.log', 'application/octet-stream'],
      ],
    )
    assert.deepEqual(items[0]?.payload, Buffer.from(binary))
    assert.equal(items[1]?.payload.length, 0)
    assert.equal(Buffer.from(items[2]?.payload ?? []).toString(), 'a\r\n--b\r\n')
  })

  test('what is no such form is refused with the reason', async () => {
    for (const [path, files, status] of [
      [doorOf(KEY, 'abc'), FILE, 400],
      [doorOf(KEY), [], 400],
      [doorOf(UNKNOWN_KEY), FILE, 403],
      [`/api/${PROJECT}/events/${EVENT_ID}/attachments/`, FILE, 401],
      [doorOf(KEY), Array.from({ length: 31 }, () => FILE[0] as File), 413],
    ] as const)
      assert.equal((await sendForm(path, files, { a: 'b' })).status, status, path)
    const other = { body: '{}', headers: { 'Content-Type': 'application/json' } }
    assert.equal((await send(server.port, doorOf(KEY), other)).status, 415)
    const broken = { body: '--x\r\nno', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }
    const sent = await send(server.port, doorOf(KEY), broken)
    assert.equal(sent.status, 400)
    assert.equal(JSON.parse(sent.body).detail, 'the body is no multipart form')
    assert.equal((await send(server.port, doorOf(KEY), { method: 'GET' })).status, 405)
  })

  test('a form of 10,000 parts is refused, and counted once', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    const body = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\r\n'.repeat(10_000)
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const startedMs = performance.now()
    const sent = await send(own.port, doorOf(KEY), { body, headers })
    assert.ok(performance.now() - startedMs < 1_000, `${performance.now() - startedMs} ms`)
    assert.equal(sent.status, 413)
    assert.deepEqual(await own.outcomes(), ['42/1 default invalid:too_many_items ×1'])
  })

  test('more than the rate limit allows is refused as attachments, and counted', async (t) => {
    const own = await startIngest()
    t.after(() => own.close())
    const form = (files: readonly File[]) => sendForm(doorOf(LIMITED_KEY), files, {}, own.port)
    const first = await form([...FILE, ...FILE, ...FILE])
    assert.equal(first.status, 201)
    assert.match(String(first.headers['x-sentry-rate-limits']), /^\d+:attachment:key:key_quota$/)
    assert.equal((await form(FILE)).status, 429)
    assert.deepEqual(await own.outcomes(), ['42/4 attachment rate_limited:key_quota ×2'])
  })

  test('the largest attachment is a setting: a larger one does not cost its event', async (t) => {
    const own = await startIngest({ limits: { attachmentBytes: 10 } })
    t.after(() => own.close())
    const file = (text: string): string =>
      `{"type":"attachment","filename":"f","length":${text.length}}\n${text}\n`
    const body = `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n{}\n${file('x'.repeat(11))}${file('x'.repeat(10))}`
    assert.equal((await send(own.port, ENVELOPE_PATH, { body })).status, 200)
    assert.deepEqual((await own.envelopes())[0]?.meta.skip, [1])
    assert.equal((await sendForm(doorOf(KEY), [new File(['x'.repeat(11)], 'f')], {}, own.port)).status, 413)
    assert.deepEqual(await own.outcomes(), ['42/1 attachment invalid:too_large ×2'])
  })
})
