/** Check-ins by curl: what is in the address and the body becomes an envelope in the log. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseEnvelope } from '@sonde/protocol'
import { KEY, PROJECT, UNKNOWN_KEY } from '../support/keys.ts'
import { send } from '../support/send.ts'
import { type Running, startIngest } from '../support/start-ingest.ts'

const ID = '7f1a6f1e-0d3c-4b8f-9f3f-0d2f6a1b2c3d'
const HEX = ID.replaceAll('-', '')
const NEWEST = '0'.repeat(32)
const PATH = `/api/${PROJECT}/cron/nightly/${KEY}/`
const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('check-ins by curl', () => {
  let server: Running
  before(async () => {
    server = await startIngest()
  })
  after(() => server.close())

  async function stored(): Promise<unknown> {
    const last = (await server.envelopes()).at(-1)
    const [item] = parseEnvelope(last?.body ?? new Uint8Array()).items
    assert.equal(item?.header.type, 'check_in')
    return JSON.parse(Buffer.from(item?.payload ?? []).toString())
  }

  test('a GET without anything is a run that went well', async () => {
    const sent = await send(server.port, PATH, { method: 'GET' })
    assert.deepEqual([sent.status, JSON.parse(sent.body)], [202, { id: NEWEST }])
    assert.deepEqual(await stored(), { check_in_id: NEWEST, monitor_slug: 'nightly', status: 'ok' })
  })

  test('the query says status, id, duration and environment, under both names of the address', async () => {
    const path = `${PATH.replace('/cron/', '//crons/')}?status=error&check_in_id=${ID}&duration=1.5&environment=dev`
    assert.equal((await send(server.port, path, { method: 'GET' })).status, 202)
    assert.deepEqual(await stored(), {
      check_in_id: HEX,
      monitor_slug: 'nightly',
      status: 'error',
      duration: 1.5,
      environment: 'dev',
    })
  })

  test('a body of JSON makes the monitor, also with the key in the query', async () => {
    const config = { schedule: { type: 'crontab', value: '0 3 * * *' } }
    const body = JSON.stringify({ status: 'in_progress', monitor_config: config })
    const path = `/api/${PROJECT}/cron/nightly/?sentry_key=${KEY}`
    assert.equal((await send(server.port, path, { body, headers: JSON_TYPE })).status, 202)
    assert.deepEqual(await stored(), {
      check_in_id: NEWEST,
      monitor_slug: 'nightly',
      status: 'in_progress',
      monitor_config: config,
    })
  })

  const BAD: readonly (readonly [what: string, path: string, status: number, body?: string])[] = [
    ['no key', `/api/${PROJECT}/cron/nightly/`, 401],
    ['words for a key', `/api/${PROJECT}/cron/nightly/words/`, 400],
    ['an unknown key', `/api/${PROJECT}/cron/nightly/${UNKNOWN_KEY}/`, 403],
    ['another project', `/api/99/cron/nightly/${KEY}/`, 403],
    ['an unknown status', `${PATH}?status=fine`, 400],
    ['an id that is none', `${PATH}?check_in_id=1`, 400],
    ['a duration that is none', `${PATH}?duration=long`, 400],
    ['a negative duration', `${PATH}?duration=-1`, 400],
    ['a name that cannot be read', `/api/${PROJECT}/cron/%FF/${KEY}/`, 400],
    ['half an object', PATH, 400, '{"status":'],
    ['a list', PATH, 400, '[]'],
    ['lists in lists', PATH, 400, `{"monitor_config":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['far too much', PATH, 413, JSON.stringify({ monitor_config: 'x'.repeat(200_000) })],
  ]
  for (const [what, path, status, body] of BAD)
    test(`${what}: ${status}`, async () => {
      const sent = await send(
        server.port,
        path,
        body === undefined ? { method: 'GET' } : { body, headers: JSON_TYPE },
      )
      assert.equal(sent.status, status, sent.body)
    })
})
