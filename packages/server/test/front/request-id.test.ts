/** The id of a request: in its answer, in the back, and in what people are shown of a failure. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { currentScope, noTracer } from '@sonde/base'
import { createProxyTrust, type TrustProxy } from '@sonde/ingest'
import { createBackHandler } from '../../src/back/back-handler.ts'
import { createFrontRoutes } from '../../src/front/front-modules.ts'
import { createGate, createHostRule } from '../../src/front/gate.ts'
import { listen } from '../../src/front/listen.ts'
import { createBackProxy } from '../../src/front/proxy.ts'
import { createRequestScopes } from '../../src/front/request-scope.ts'
import { routeOf } from '../../src/observe/request-span.ts'
import { frontBefore } from './front-before.ts'

const HOST = { host: '127.0.0.1', allowedHosts: [], publicUrl: 'http://127.0.0.1:1', isBehindProxy: false }

/** A front with its own routes before a back that says in which scope it works. */
async function start(t: TestContext, trustProxy: TrustProxy, silenceMs?: number): Promise<string> {
  const says: RequestListener = (req, res) => {
    if (req.url !== '/silent') res.end(JSON.stringify({ ...currentScope(), headers: req.headers }))
  }
  const no: RequestListener = (_req, res) => void res.end()
  const web = {
    api: () => new Response(''),
    auth: async () => new Response(''),
    mcp: async () => new Response(''),
    oauthMetadata: no,
    screens: async (...exchange: Parameters<RequestListener>) => says(...exchange),
  }
  const back = createBackHandler({
    tls: { see: () => undefined },
    tracer: noTracer,
    readiness: async () => [],
    web,
  })
  const { socketPath } = await frontBefore(t, back)
  const trust = createProxyTrust(trustProxy)
  const proxy = createBackProxy({ socketPath, trust, ...(silenceMs !== undefined && { silenceMs }) })
  const routes = createFrontRoutes({
    ingest: () => false,
    forward: proxy.forward,
    reporterScript: no,
    feedbackWidget: no,
    docsSite: undefined,
    securityTxt: no,
    notReady: () => undefined,
    metrics: () => false,
    hostRule: createHostRule(HOST),
  })
  const inRequest = createRequestScopes(trust)
  const gate = createGate(routes)
  const front = await listen((req, res) => inRequest(req, res, () => gate(req, res)), {
    host: '127.0.0.1',
    port: 0,
  })
  t.after(async () => {
    await proxy.close()
    await front.stop(0)
  })
  return `http://127.0.0.1:${front.port}`
}

type Seen = { requestId: string; origin: string; headers: Record<string, string> }

test('the back works under the id that the answer has, and knows what was asked for without its values', async (t) => {
  const url = await start(t, 0)
  const answer = await fetch(`${url}/acme/shop/issues/17?query=secret`)
  const seen = (await answer.json()) as Seen
  assert.match(seen.requestId, /^[\da-f]{32}$/)
  assert.equal(answer.headers.get('x-request-id'), seen.requestId)
  assert.equal(seen.origin, 'GET /acme/shop/issues/[id]')
  const { origin } = (await (await fetch(`${url}/acme/projects/12?x=1`)).json()) as Seen
  assert.equal(origin, 'GET /acme/projects/[id]')
  assert.equal(routeOf({ url: '/api/0/issues/77/?full=1' }), '/api/0/issues/[id]/')
  assert.equal(routeOf({ url: '/api/7/envelope/' }), '/api/[id]/envelope/')
  const other = await fetch(url)
  assert.notEqual(other.headers.get('x-request-id'), seen.requestId)
})

test('an id of a proxy of ours is taken, when it is well formed; anybody else’s is not, under any name', async (t) => {
  const given = { 'x-request-id': '7f3e-1122', 'x-sonde-request-id': 'forged-id-1' }
  const trusting = await start(t, 1)
  const seen = (await (await fetch(trusting, { headers: given })).json()) as Seen
  assert.equal(seen.requestId, '7f3e-1122')
  assert.equal(seen.headers['x-request-id'], undefined)
  for (const bad of ['short', 'with space in it', '"},{"level":60', 'x'.repeat(129)]) {
    const answer = await fetch(trusting, { headers: { 'x-request-id': bad } })
    assert.match(answer.headers.get('x-request-id') ?? '', /^[\da-f]{32}$/, bad)
  }
  const alone = (await (await fetch(await start(t, 0), { headers: given })).json()) as Seen
  assert.match(alone.requestId, /^[\da-f]{32}$/)
})

test('what the front refuses has an id too, and a failure of ours says it in words', async (t) => {
  const url = await start(t, 0, 300)
  const refused = await fetch(url, { method: 'PROPFIND' })
  assert.equal(refused.status, 405)
  assert.match(refused.headers.get('x-request-id') ?? '', /^[\da-f]{32}$/)
  const late = await fetch(`${url}/silent`)
  assert.equal(late.status, 504)
  assert.deepEqual(await late.json(), {
    detail: 'Sonde did not answer in time',
    requestId: late.headers.get('x-request-id'),
  })
  const page = await fetch(`${url}/silent`, { headers: { accept: 'text/html' } })
  assert.equal(
    await page.text(),
    `Sonde did not answer in time\nRequest ID: ${page.headers.get('x-request-id')}\n`,
  )
})
