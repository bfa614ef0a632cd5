import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiskSpace } from '../../src/index.ts'
import { ENVELOPE_PATH, EVENT_ID, send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

const item = (type: string, payload = '{}'): string =>
  `{"type":"${type}","length":${Buffer.byteLength(payload)}}\n${payload}`
const envelope = (...items: string[]): string => [`{"event_id":"${EVENT_ID}"}`, ...items].join('\n')

test('with little of the disk free attachments are refused and their events taken; with too little, nothing is', async (t) => {
  let space: DiskSpace = 'enough'
  const server = await startIngest({ diskSpace: () => space })
  t.after(() => server.close())
  const body = envelope(item('event'), item('attachment', 'shot'))
  const post = () => send(server.port, ENVELOPE_PATH, { body })
  assert.equal((await post()).status, 200)

  space = 'little'
  const partly = await post()
  assert.deepEqual(
    [partly.status, partly.headers['x-sentry-rate-limits']],
    [200, '300:attachment:organization:disk_low'],
  )
  const alone = await send(server.port, ENVELOPE_PATH, { body: envelope(item('attachment', 'shot')) })
  assert.deepEqual([alone.status, alone.headers['retry-after']], [429, '300'])

  space = 'too-little'
  const refused = await post()
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '60'])
  assert.match(String(refused.headers['x-sentry-rate-limits']), /^60::organization/)

  space = 'enough'
  assert.equal((await post()).status, 200)
  const stored = await server.envelopes()
  assert.deepEqual(
    stored.map(({ meta }) => meta.skip),
    [undefined, [1], undefined],
  )
  assert.deepEqual(await server.outcomes(), [
    '42/1 attachment rate_limited:disk_low ×3',
    '42/1 error rate_limited:disk_low ×1',
  ])
})
