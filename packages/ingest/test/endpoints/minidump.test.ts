/** Crashes as Breakpad and Crashpad send them: what is taken, what is refused, what the answer says. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseEnvelope } from '@sonde/protocol'
import { KEY, PROJECT } from '../support/keys.ts'
import { send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

const PATH = `/api/${PROJECT}/minidump/?sentry_key=${KEY}`
const DUMP = Buffer.from('MDMP\x93\xa7\0\0rest', 'latin1')
const ID = 'ab'.repeat(16)
let server: Running

async function sendForm(dump: Buffer | undefined, fields: Readonly<Record<string, string>>, part?: Buffer) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (dump) form.append('upload_file_minidump', new File([new Uint8Array(dump)], 'crash.dmp'))
  if (part) form.append('__sentry-event', new File([new Uint8Array(part)], '__sentry-event'))
  form.append('log', new File(['line'], 'app.log'))
  const built = new Response(form)
  const headers = { 'Content-Type': built.headers.get('content-type') ?? '' }
  return send(server.port, PATH, { body: new Uint8Array(await built.arrayBuffer()), headers })
}

describe('the minidump endpoint', () => {
  before(async () => {
    server = await startIngest()
  })
  after(() => server.close())

  test('takes a form, with the event as JSON and as single fields, and answers with the id', async () => {
    const sent = await sendForm(DUMP, {
      sentry: JSON.stringify({ event_id: ID, release: 'shop@1' }),
      'sentry[tags][cart]': 'full',
      'sentry[__proto__][polluted]': 'yes',
    })
    assert.equal(sent.status, 200)
    assert.equal(sent.body, 'abababab-abab-abab-abab-abababababab')
    const [record] = await server.envelopes()
    const { items } = parseEnvelope(record!.body)
    const event = JSON.parse(Buffer.from(items[0]!.payload).toString()) as object
    assert.deepEqual(event, { event_id: ID, release: 'shop@1', tags: { cart: 'full' } })
    assert.deepEqual(
      items.map(({ header }) => [header.type, header['filename'], header['attachment_type']]),
      [
        ['event', undefined, undefined],
        ['attachment', 'crash.dmp', 'event.minidump'],
        ['attachment', 'app.log', undefined],
      ],
    )
    assert.deepEqual(Buffer.from(items[1]!.payload), DUMP)
  })

  test('gives the crash the id that the SDK had written down', async () => {
    // {"event_id": "…", "release": "a"}
    const part = Buffer.from(
      '\x82\xa8event_id\xd9$cdcdcdcd-cdcd-cdcd-cdcd-cdcdcdcdcdcd\xa7release\xa1a',
      'latin1',
    )
    const sent = await sendForm(DUMP, {}, part)
    assert.equal(sent.body, 'cdcdcdcd-cdcd-cdcd-cdcd-cdcdcdcdcdcd')
    assert.equal(
      (await sendForm(DUMP, { sentry: JSON.stringify({ event_id: ID }) }, part)).body.slice(0, 8),
      'abababab',
    )
    assert.match((await sendForm(DUMP, {}, Buffer.from('event_id'))).body, /^[\da-f-]{36}$/)
  })

  test('takes the dump alone as the body', async () => {
    const sent = await send(server.port, PATH, {
      body: DUMP,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    assert.equal(sent.status, 200)
    assert.match(sent.body, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  test('refuses what is no minidump, a form without one, and an event that is no JSON', async () => {
    assert.equal((await sendForm(Buffer.from('PK'), {})).status, 400)
    assert.equal((await sendForm(undefined, {})).status, 400)
    assert.equal((await sendForm(DUMP, { sentry: '{' })).status, 400)
  })
})
