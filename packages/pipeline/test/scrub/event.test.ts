import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SCRUB_SETTINGS, scrubEvent, type ScrubSettings } from '../../src/scrub/index.ts'
import { eventOf, remarkOf } from '../normalize/event-of.ts'

const scrubbed = (raw: unknown, settings: Partial<ScrubSettings> = {}) =>
  scrubEvent(eventOf(raw), { ...DEFAULT_SCRUB_SETTINGS, ...settings })
const F = '[Filtered]'

test('a request loses its cookies, its authorization and its named secrets', () => {
  const { request } = scrubbed({
    request: {
      url: 'https://bo:pw1@a.example/p?token=t1&page=2#access_token=t2',
      cookies: 'theme=dark; sid=s1',
      headers: {
        Authorization: 'Bearer b1',
        'X-Api-Key': 'k1',
        Accept: '*/*',
        Referer: 'https://x/?secret=q',
      },
      env: { DB_PASSWORD: 'p1', PATH: '/bin' },
      data: 'user=bo&password=p2&card=4111111111111111',
    },
  })
  assert.deepEqual(request, {
    url: `https://${F}@a.example/p`,
    query_string: [
      ['token', F],
      ['page', '2'],
    ],
    fragment: `access_token=${F}`,
    cookies: [
      ['theme', F],
      ['sid', F],
    ],
    headers: [
      ['Authorization', F],
      ['X-Api-Key', F],
      ['Accept', '*/*'],
      ['Referer', `https://x/?secret=${F}`],
    ],
    env: { DB_PASSWORD: F, PATH: '/bin' },
    data: { user: 'bo', password: F, card: '[creditcard]' },
    inferred_content_type: 'application/x-www-form-urlencoded',
  })
})

test('every place that holds data of the user is scrubbed, with a remark', () => {
  const stacktrace = { frames: [{ function: 'f', vars: { password: 'v1', ok: 1 } }] }
  const event = scrubbed({
    transaction: '/p?token=t1',
    tags: { token: 't2', plan: 'pro' },
    extra: {
      deep: [{ apiKey: 'k1' }],
      pairs: [['password', 'p1']],
      named: [{ name: 'secret', value: 's1' }],
      card: 4111111111111111,
    },
    user: { id: 'u', email: 'a@b.example', password: 'p2' },
    contexts: { app: { session_id: 's2', app_name: 'x' }, auth: { user: 'u', code: 'c1' } },
    breadcrumbs: [
      {
        message: 'GET /x?api_key=k2',
        data: { url: 'https://x/?auth=a1', 'http.query': 'token=t3', status: 200 },
      },
    ],
    exception: [
      {
        type: 'E',
        value: 'cannot open postgres://u:p3@h/db',
        stacktrace,
        mechanism: { type: 'm', data: { token: 't4' } },
      },
    ],
    threads: [{ id: 1, stacktrace }],
    own: { secret: 's3' },
  })
  const json = JSON.stringify(event)
  for (const secret of [
    't1',
    't2',
    'k1',
    '"p1',
    's1',
    '4111111111111111',
    'p2',
    's2',
    'c1',
    'k2',
    'a1',
    't3',
    'p3',
    'v1',
    't4',
    's3',
  ])
    assert.ok(!json.includes(secret), secret)
  assert.equal(event.derived.title, `E: cannot open postgres://${F}@h/db`)
  assert.equal(event.derived.culprit, `/p?token=${F}`)
  assert.deepEqual(event.contexts, {
    app: { session_id: F, app_name: 'x', type: 'app' },
    auth: { type: 'auth', value: F },
  })
  assert.deepEqual(event.user, { id: 'u', email: 'a@b.example', data: { password: F } })
  assert.deepEqual(remarkOf(event, 'extra.deep.0.apiKey')?.remarks, [{ rule: '@password', kind: 'scrubbed' }])
  assert.deepEqual(remarkOf(event, 'extra.card')?.remarks, [{ rule: '@creditcard', kind: 'scrubbed' }])
  assert.deepEqual(remarkOf(event, 'exception.0.value')?.remarks, [{ rule: '@urlauth', kind: 'scrubbed' }])
})

test('a message loses the params that its template names as secret', () => {
  const event = scrubbed({
    logentry: { message: 'login %(user)s %(password)s', params: { user: 'bo', password: 'hunter2' } },
  })
  assert.deepEqual(event.logentry, {
    message: 'login %(user)s %(password)s',
    formatted: `login bo ${F}`,
    params: { user: 'bo', password: F },
  })
  assert.equal(event.derived.title, `login bo ${F}`)
})

test('a secret that was refused as a tag does not come back as an error', () => {
  const event = scrubbed({ tags: { password: 's3cret'.repeat(40) } })
  assert.ok(!JSON.stringify(event).includes('s3cret'))
})

test('an event without secrets is the same event', () => {
  const event = eventOf({
    message: 'hello',
    extra: { author: 'Bo', tokens_used: 12, monkey: 'b', passed: 3 },
    tags: { os: 'x' },
  })
  assert.deepEqual(scrubEvent(event, DEFAULT_SCRUB_SETTINGS), event)
})

test('which names are sensitive', () => {
  const secret = [
    'password',
    'userPassword',
    'DB_PASSWD',
    'api-key',
    'X-Api-Key',
    'apikey',
    'client_secret',
    'auth',
    'x-auth',
    'oauth',
    'OAuth2',
    'basicauth',
    'authToken',
    'csrfmiddlewaretoken',
    'stripeToken',
    'private_key',
    'PHPSESSID',
    'JSESSIONID',
    'session_id',
    'sessionid',
    'credentials',
    'mysql_pwd',
    'pwd',
    'jwt',
    'Set-Cookie',
    'ssn',
    'cvv',
    'credit_card',
  ]
  const plain = [
    'author',
    'authority',
    'authenticated',
    'tokenizer',
    'token_type',
    'compass',
    'passenger',
    'monkey',
    'className',
    'keyboard',
    'address',
    'sidebar',
    'session',
    'description',
    'user',
    'option',
  ]
  const { extra } = scrubbed({ extra: Object.fromEntries([...secret, ...plain].map((key) => [key, 'v'])) })
  for (const key of secret) assert.equal(extra?.[key], F, key)
  for (const key of plain) assert.equal(extra?.[key], 'v', key)
})

test('a project may add names, keep names, drop addresses and switch it off', () => {
  const raw = {
    extra: { phone: '123', myToken: 'a', password: 'b' },
    user: { ip_address: '203.0.113.9' },
    request: {
      headers: { 'X-Forwarded-For': '203.0.113.9', Accept: 'x' },
      env: { REMOTE_ADDR: '203.0.113.9', A: '1' },
    },
  }
  const event = scrubbed(raw, { sensitiveFields: ['Phone'], safeFields: ['my_token'], scrubIp: true })
  assert.deepEqual(event.extra, { phone: F, myToken: 'a', password: F })
  assert.equal(event.user, undefined)
  assert.ok(!JSON.stringify(event).includes('203.0.113.9'))
  const off = scrubbed(raw, { enabled: false })
  assert.deepEqual(off, eventOf(raw))
})
