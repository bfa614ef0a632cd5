import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createFrontRoutes } from '../../src/front/front-modules.ts'
import { createHostRule } from '../../src/front/gate.ts'
import { listen } from '../../src/front/listen.ts'
import { converse } from './raw-client.ts'

async function endpoints(t: TestContext, reason?: string, hasBack = true): Promise<string> {
  const handler = createFrontRoutes({
    ingest: (req, res) => {
      if (!req.url?.startsWith('/monitoring')) return false
      res.end('ingest')
      return true
    },
    forward: hasBack ? (_req, res) => void res.end('back') : undefined,
    reporterScript: (_req, res) => void res.end('reporter'),
    feedbackWidget: (_req, res) => void res.end('widget'),
    docsSite: hasBack ? (_req, res) => void res.end('docs') : undefined,
    securityTxt: (_req, res) => void res.end('security.txt'),
    notReady: () => reason,
    metrics: (req, res) => {
      if (req.headers['x-may'] === undefined) return false
      res.end('metrics')
      return true
    },
    hostRule: createHostRule({
      host: '127.0.0.1',
      allowedHosts: [],
      publicUrl: 'http://127.0.0.1:8600',
      isBehindProxy: false,
    }),
  })
  const listening = await listen(handler, { host: '127.0.0.1', port: 0 })
  t.after(() => listening.stop(0))
  return `http://127.0.0.1:${listening.port}`
}

const body = async (url: string): Promise<[number, string]> => {
  const answer = await fetch(url)
  return [answer.status, await answer.text()]
}

test('each path goes to its part', async (t) => {
  const url = await endpoints(t)
  assert.deepEqual(await body(`${url}/monitoring`), [200, 'ingest'])
  assert.deepEqual(await body(`${url}/acme/shop/issues`), [200, 'back'])
  assert.deepEqual(await body(`${url}/sonde.js?v=1`), [200, 'reporter'])
  assert.deepEqual(await body(`${url}/sonde-feedback.js`), [200, 'widget'])
  for (const path of ['/docs', '/docs/', '/docs/operate/backup?x=1'])
    assert.deepEqual(await body(url + path), [200, 'docs'], path)
  assert.deepEqual(await body(`${url}/docs-of-ours/shop`), [200, 'back'])
  assert.deepEqual(await body(`${url}/healthz`), [200, 'ok\n'])
  assert.deepEqual(await body(`${url}/.well-known/security.txt`), [200, 'security.txt'])
})

test('the metrics are not there for who may not know them', async (t) => {
  const url = `${await endpoints(t)}/metrics`
  assert.deepEqual(await body(url), [404, 'not found\n'])
  assert.equal(await (await fetch(url, { headers: { 'x-may': '1' } })).text(), 'metrics')
})

test('under a name that is not known, SDKs and probes are answered, and neither screens nor sign-in nor the API', async (t) => {
  const { port } = new URL(await endpoints(t))
  const ask = async (path: string): Promise<string> => {
    const request = `GET ${path} HTTP/1.1\r\nHost: rebound.example:${port}\r\n\r\n`
    const { answers } = await converse(Number(port), request, { expected: 1 })
    return `${answers[0]?.status} ${answers[0]?.body.includes('SONDE_ALLOWED_HOSTS')}`
  }
  for (const path of ['/acme/shop/issues', '/sign-in', '/api/auth/get-session', '/api/0/organizations/'])
    assert.equal(await ask(path), '421 true', path)
  for (const path of ['/monitoring', '/sonde.js', '/healthz', '/readyz', '/.well-known/security.txt'])
    assert.notEqual(await ask(path), '421 true', path)
})

test('what speaks against sending here makes it not ready, and no less alive', async (t) => {
  const url = await endpoints(t, 'the log cannot be written')
  assert.deepEqual(await body(`${url}/readyz`), [503, 'the log cannot be written\n'])
  assert.deepEqual(await body(`${url}/healthz`), [200, 'ok\n'])
  assert.deepEqual(await body(`${await endpoints(t)}/readyz`), [200, 'back'])
})

test('a start without a back answers its probes itself and says why it has no screens', async (t) => {
  const url = await endpoints(t, undefined, false)
  assert.deepEqual(await body(`${url}/readyz`), [200, 'ok\n'])
  for (const path of ['/acme/shop/issues', '/docs/']) {
    const [status, text] = await body(url + path)
    assert.equal(status, 404)
    assert.match(text, /SONDE_ROLES names ingest alone/)
  }
})

test('no answer of the front itself is taken for what it does not say it is', async (t) => {
  for (const reason of [undefined, 'no']) {
    const url = await endpoints(t, reason)
    for (const path of ['/healthz', '/metrics'])
      assert.equal((await fetch(`${url}${path}`)).headers.get('x-content-type-options'), 'nosniff', path)
  }
})
