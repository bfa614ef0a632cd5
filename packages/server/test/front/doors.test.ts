import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMetrics } from '@sonde/base'
import { createDoors } from '../../src/front/doors.ts'
import { listen } from '../../src/front/listen.ts'

async function doors(t: TestContext, accepting: boolean): Promise<string> {
  const metrics = createMetrics()
  metrics.observed('sonde_back_up', 'whether', () => 1)
  const handler = createDoors({
    ingest: (req, res) => {
      if (!req.url?.startsWith('/monitoring')) return false
      res.end('ingest')
      return true
    },
    forward: (_req, res) => void res.end('back'),
    reporterScript: (_req, res) => void res.end('reporter'),
    securityTxt: (_req, res) => void res.end('security.txt'),
    accepting: () => accepting,
    metrics,
    internalSocket: '/nowhere/internal.sock',
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
  const url = await doors(t, true)
  assert.deepEqual(await body(`${url}/monitoring`), [200, 'ingest'])
  assert.deepEqual(await body(`${url}/acme/shop/issues`), [200, 'back'])
  assert.deepEqual(await body(`${url}/sonde.js?v=1`), [200, 'reporter'])
  assert.deepEqual(await body(`${url}/healthz`), [200, 'ok\n'])
  assert.deepEqual(await body(`${url}/.well-known/security.txt`), [200, 'security.txt'])
})

test('the metrics are answered while the back is away', async (t) => {
  const [status, text] = await body(`${await doors(t, true)}/metrics`)
  assert.equal(status, 200)
  assert.match(text, /^sonde_back_up 1$/m)
})

test('a log that cannot be written makes the front unhealthy', async (t) => {
  assert.deepEqual(await body(`${await doors(t, false)}/healthz`), [503, 'the log cannot be written\n'])
})

test('no answer of the front itself is taken for what it does not say it is', async (t) => {
  for (const isAccepting of [true, false]) {
    const url = await doors(t, isAccepting)
    for (const path of ['/healthz', '/metrics'])
      assert.equal((await fetch(`${url}${path}`)).headers.get('x-content-type-options'), 'nosniff', path)
  }
})
