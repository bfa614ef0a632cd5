import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { type TestContext, test } from 'node:test'
import { createMetrics } from '@sonde/base'
import { createMetricsEndpoint } from '../../src/front/front-metrics.ts'
import { listen } from '../../src/front/listen.ts'
import { converse } from './raw-client.ts'

const TOKEN = 'a-token-of-some-length'

async function door(t: TestContext, token?: string): Promise<number> {
  const metrics = createMetrics()
  metrics.observed('sonde_back_up', 'whether', () => 1)
  const answer = createMetricsEndpoint({ metrics, internalSocket: '/nowhere/internal.sock', token })
  const listening = await listen(
    (req, res) => {
      if (answer(req, res)) return
      res.statusCode = 404
      res.end()
    },
    { host: '0.0.0.0', port: 0 },
  )
  t.after(() => listening.stop(0))
  return listening.port
}

const status = async (port: number, headers = '', host = `127.0.0.1:${port}`): Promise<number | undefined> =>
  (await converse(port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`))
    .answers[0]?.status

test('a program on this machine is answered, while the back is away too', async (t) => {
  const port = await door(t)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /^sonde_back_up 1$/m)
})

test('what a proxy or a stranger page on this machine hands on is not answered', async (t) => {
  const port = await door(t)
  for (const header of [
    'X-Forwarded-For: 10.0.0.9',
    'X-Forwarded-Proto: https',
    'Forwarded: for=10.0.0.9',
    'X-Real-IP: 10.0.0.9',
    'Via: 1.1 proxy',
  ])
    assert.equal(await status(port, `${header}\r\n`), 404, header)
  assert.equal(await status(port, '', `rebound.example:${port}`), 404)
})

test('from another address nothing is there', async (t) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)
  if (own === undefined) return t.skip('this machine has no address but loopback')
  const port = await door(t, TOKEN)
  const url = `http://${own.address}:${port}/metrics`
  assert.equal((await fetch(url)).status, 404)
  assert.equal((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status, 200)
})

test('the token opens it from anywhere, and nothing like it does', async (t) => {
  const port = await door(t, TOKEN)
  const through = 'X-Forwarded-For: 10.0.0.9\r\n'
  assert.equal(await status(port, `${through}Authorization: Bearer ${TOKEN}\r\n`), 200)
  for (const wrong of [
    '',
    `Authorization: Bearer ${TOKEN}x\r\n`,
    'Authorization: Bearer\r\n',
    `Authorization: Basic ${TOKEN}\r\n`,
  ])
    assert.equal(await status(port, through + wrong), 404, wrong)
  assert.equal(await status(await door(t), `${through}Authorization: Bearer undefined\r\n`), 404)
})
