import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY } from '../support/keys.ts'
import { ENVELOPE_PATH, EVENT_ID, eventEnvelope, send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

test('answers say the id of the request beside all that they say anyway, refusals too', async () => {
  const scope = { requestId: 'request-1' }
  const [server, without] = [await startIngest({ scope }), await startIngest()]
  try {
    const accepted = await send(server.port, ENVELOPE_PATH, { body: eventEnvelope() })
    assert.deepEqual([accepted.status, accepted.body], [200, `{"id":"${EVENT_ID}"}`])
    const plain = await send(without.port, ENVELOPE_PATH, { body: eventEnvelope() })
    const { date: _date, ...headers } = plain.headers
    const { date: _other, ...withId } = accepted.headers
    assert.deepEqual(withId, { ...headers, 'x-request-id': 'request-1' })
    const refused = await send(server.port, `/api/1/envelope/?sentry_key=${KEY}`, { method: 'PUT' })
    assert.deepEqual([refused.status, refused.headers['x-request-id']], [405, 'request-1'])
  } finally {
    await Promise.all([server.close(), without.close()])
  }
})
