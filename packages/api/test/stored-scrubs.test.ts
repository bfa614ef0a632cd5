import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_PROJECT_SETTINGS, encodeLogRow } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const PATH = '/api/0/projects/acme/shop/stored-scrubs/'
const NOBODY = {
  release: '',
  environment: '',
  platform: '',
  sdkName: '',
  sdkVersion: '',
  browser: '',
  os: '',
  device: '',
  country: '',
  connection: '',
  sampleRate: 1,
}

describe('scrubbing what is stored, in the public API', () => {
  let harness: Harness
  let admin: string
  before(async () => {
    harness = await openHarness()
    const { id: projectId } = await harness.project('acme', 'shop')
    await harness.issue(projectId, {}, [
      { event: { user: { id: '1' }, extra: { nickname: 'Anna', kept: 'x' } } },
      { event: { logentry: { formatted: `${'long '.repeat(50)}nickname=Anna` } } },
      { event: { extra: { kept: 'y' } } },
    ])
    const line = {
      ...NOBODY,
      projectId,
      receivedMs: NOW_MS,
      timestampMs: NOW_MS,
      logPosition: 1,
      itemIndex: 0,
      sequence: 0,
      severity: 'info',
      severityNumber: 9,
      traceId: '',
      spanId: '',
      userKey: 'ip:203.0.113.7',
    }
    const lines = [
      { ...line, rowIndex: 0, body: 'nickname=Anna', attributes: { 'client.address': '203.0.113.7', n: 1 } },
      { ...line, rowIndex: 1, userKey: '', body: 'quiet', attributes: {} },
    ]
    await harness.telemetry.insert(
      'logs',
      lines.map((each) => encodeLogRow(each)),
      'lines',
    )
    const scrub = { ...DEFAULT_PROJECT_SETTINGS.scrub, sensitiveFields: ['nickname'], scrubIp: true }
    await harness.db
      .insertInto('project_setting')
      .values({
        project_id: projectId,
        value: JSON.stringify({ ...DEFAULT_PROJECT_SETTINGS, scrub }),
        rate_limit_count: null,
        rate_limit_window_sec: null,
        updated_ms: 0,
      })
      .execute()
    admin = await harness.token(['project:write'], 'acme')
  })
  after(() => harness.close())

  const ask = async (method: string, path = '', token = admin, signal?: AbortSignal) => {
    const response = await harness.fetch(`${PATH}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    })
    const text = await response.text()
    return { status: response.status, json: (text === '' ? undefined : JSON.parse(text)) as never }
  }

  it('a preview counts by kind what would change, and shows values before and after', async () => {
    const { status, json } = await ask('POST', 'preview/')
    assert.equal(status, 200)
    assert.deepEqual(json, {
      isCut: false,
      kinds: [
        {
          kind: 'events',
          total: 3,
          looked: 3,
          changed: 2,
          examples: [
            { path: 'extra.nickname', rule: '@password', before: 'Anna', after: '[Filtered]' },
            {
              path: 'logentry.formatted',
              rule: '@password',
              before: '… long long nickname=Anna',
              after: '… long long nickname=[Filtered]',
            },
          ],
        },
        {
          kind: 'logs',
          total: 2,
          looked: 2,
          changed: 1,
          examples: [
            { path: 'body', rule: '@password', before: 'nickname=Anna', after: 'nickname=[Filtered]' },
            { path: 'user_key', rule: '@ip', before: 'ip:203.0.113.7', after: '' },
            { path: 'attributes.client.address', rule: '@ip', before: '203.0.113.7', after: '' },
          ],
        },
      ],
    })
    const gone = AbortSignal.abort()
    assert.deepEqual((await ask('POST', 'preview/', admin, gone)).json, { kinds: [], isCut: true })
  })

  it('who changes the project applies them once, and reads how far it is', async () => {
    const asked = await ask('POST')
    assert.deepEqual([asked.status, asked.json['isNew']], [202, true])
    assert.equal((await ask('POST')).json['isNew'], false)
    const { json } = await ask('GET', `${asked.json['id'] as string}/`)
    assert.deepEqual(json, {
      id: asked.json['id'],
      state: 'waits',
      dateRequested: new Date(NOW_MS).toISOString().replace('.000', '.000000'),
      dateStarted: null,
      dateFinished: null,
      rows: { total: null, seen: 0, changed: 0 },
      trouble: null,
    })
    assert.deepEqual((await ask('GET')).json, [json])
    assert.equal((await ask('GET', '77/')).status, 404)
  })

  it('a token that only reads sees runs alone', async () => {
    const reader = await harness.token(['project:read'], 'acme')
    assert.equal((await ask('GET', '', reader)).status, 200)
    assert.equal((await ask('POST', '', reader)).status, 403)
    assert.equal((await ask('POST', 'preview/', reader)).status, 403)
  })
})
