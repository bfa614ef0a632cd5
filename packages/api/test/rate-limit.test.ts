import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Viewer } from '@sonde/access'
import { fixedClock } from '@sonde/base'
import { Hono } from 'hono'
import type { ApiEnv } from '../src/api-context.ts'
import { rateLimit } from '../src/rate-limit.ts'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from './harness.ts'

const HEADERS = ['limit', 'remaining', 'reset', 'concurrentlimit', 'concurrentremaining']
const seen = (answer: Response): (number | null)[] =>
  HEADERS.map((name) => {
    const text = answer.headers.get(`x-sentry-rate-limit-${name}`)
    return text === null ? null : Number(text)
  })

const token = (tokenId: number): Viewer =>
  ({ kind: 'token', tokenId, tokenName: 't', orgId: 1, userId: undefined, scopes: [] }) as const

describe('the bounds of one caller', () => {
  const SECOND = NOW_MS / 1000

  /** Answers when `release` is called, by whoever `viewer` says. */
  const held = (limits: { perSecond: number; concurrent: number }) => {
    const clock = fixedClock(NOW_MS)
    const waiting: (() => void)[] = []
    const app = new Hono<ApiEnv>()
    let viewer = token(1)
    app.use('*', (c, next) => (c.set('viewer', viewer), next()))
    app.use('*', rateLimit(limits, clock))
    app.get('/slow', async (c) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return c.text('done')
    })
    app.get('/quick', (c) => c.text('done'))
    app.get('/fails', () => {
      throw new Error('broken')
    })
    app.onError((_, c) => c.text('broken', 500))
    return {
      clock,
      ask: async (path: string, who: Viewer = token(1)) => {
        viewer = who
        return app.request(path)
      },
      release: () => waiting.splice(0).forEach((go) => go()),
    }
  }

  it('so many within a second, counted anew in the next one', async () => {
    const { ask, clock } = held({ perSecond: 2, concurrent: 0 })
    assert.deepEqual(seen(await ask('/quick')), [2, 1, SECOND + 1, null, null])
    assert.deepEqual(seen(await ask('/fails')), [2, 0, SECOND + 1, null, null])
    const refused = await ask('/quick')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
    assert.deepEqual(seen(refused), [2, 0, SECOND + 1, null, null])
    assert.deepEqual(await refused.json(), {
      detail: 'You are attempting to use this endpoint too frequently. Limit is 2 requests in 1 seconds',
    })
    assert.equal((await ask('/quick', token(2))).status, 200, 'another token has its own')
    clock.advance(1_000)
    assert.deepEqual(seen(await ask('/quick')), [2, 1, SECOND + 2, null, null])
  })

  it('so many at once; one that failed gives its place back', async () => {
    const { ask, release } = held({ perSecond: 0, concurrent: 2 })
    await ask('/fails')
    await ask('/fails')
    const running = [ask('/slow'), ask('/slow')]
    await new Promise(setImmediate)
    const refused = await ask('/quick')
    assert.equal(refused.status, 429)
    assert.deepEqual(seen(refused), [null, null, null, 2, 0])
    assert.match(await refused.text(), /allowed concurrency.*limit is 2/)
    release()
    assert.deepEqual(
      (await Promise.all(running)).map((answer) => seen(answer)[4]),
      [1, 0],
    )
    assert.equal((await ask('/quick')).status, 200)
  })

  it('a caller that is not seen for long is forgotten, and begins anew', async () => {
    const { ask } = held({ perSecond: 1, concurrent: 0 })
    await ask('/quick')
    assert.equal((await ask('/quick')).status, 429)
    for (let id = 2; id < 10_002; id++) await ask('/quick', token(id))
    assert.equal((await ask('/quick')).status, 200)
  })
})

describe('/api/0 with bounds', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness({ limits: { perSecond: 3, concurrent: 2 } })
    await harness.project('acme', 'shop')
    await harness.user('acme', 'ann@acme.test', 'member')
  })
  after(() => harness.close())

  it('says them on every answer to somebody it knows; a browser may ask ten times as much', async () => {
    const authorization = `Bearer ${await harness.token(['org:read'], 'acme')}`
    const found = await harness.fetch('/api/0/organizations/acme/', { headers: { authorization } })
    assert.deepEqual(seen(found), [3, 2, NOW_MS / 1000 + 1, 2, 1])
    const missing = await harness.fetch('/api/0/organizations/acme/nothing/', { headers: { authorization } })
    assert.deepEqual([missing.status, seen(missing)[1]], [404, 1])
    await harness.fetch('/api/0/organizations/acme/', { headers: { authorization } })
    const refused = await harness.fetch('/api/0/organizations/acme/', { headers: { authorization } })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('x-content-type-options'), 'nosniff')
    const headers = { cookie: await harness.signIn('ann@acme.test'), origin: PUBLIC_URL }
    const asked = await harness.fetch('/api/0/organizations/acme/', { headers })
    assert.deepEqual(seen(asked), [30, 29, NOW_MS / 1000 + 1, 20, 19])
    assert.deepEqual(seen(await harness.fetch('/api/0/organizations/acme/')), [null, null, null, null, null])
  })
})
