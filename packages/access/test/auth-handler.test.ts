import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sameOrigin } from '@sonde/access'
import { type Harness, openHarness, PASSWORD } from './harness.ts'

const ORIGIN = 'http://sonde.test'

describe('/api/auth', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await harness.member('ada@acme.test', 'admin')
  })
  after(() => harness.close())
  const post = (path: string, body: unknown, headers: Record<string, string> = { origin: ORIGIN }) =>
    harness.access.handler(
      new Request(`${ORIGIN}/api/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )

  it('signs in, names the session and signs out', async () => {
    const signedIn = await post('/sign-in/email', { email: 'ada@acme.test', password: PASSWORD })
    assert.equal(signedIn.status, 200)
    assert.ok(!(await signedIn.text()).includes('token'))
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const viewer = await harness.access.viewerFromCookies(new Headers({ cookie }))
    assert.equal(viewer?.email, 'ada@acme.test')
    const signedOut = await post('/sign-out', {}, { origin: ORIGIN, cookie })
    assert.equal(signedOut.status, 200)
    assert.equal(await harness.access.viewerFromCookies(new Headers({ cookie })), undefined)
  })

  it('refuses a wrong password, a wrong body and another origin', async () => {
    const right = { email: 'ada@acme.test', password: PASSWORD }
    assert.equal((await post('/sign-in/email', { ...right, password: 'no' })).status, 401)
    for (const body of ['', '[]', 'null', '{"email":1,"password":"x"}']) {
      assert.equal((await post('/sign-in/email', body)).status, 400, body)
    }
    assert.equal((await post('/sign-in/email', right, { origin: 'https://evil.test' })).status, 403)
    assert.equal((await post('/sign-in/email', right, {})).status, 403)
  })

  for (const path of ['/sign-in/email', '/sign-out', '/get-session', '/two-factor/verify-totp']) {
    it(`POST ${path} reads at most 64 kB of an endless body`, async () => {
      let pulled = 0
      const chunk = new Uint8Array(16_384).fill(0x20)
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled += chunk.byteLength
            if (pulled > 65_536) controller.error(new Error('more than 64 kB were read'))
            else controller.enqueue(chunk)
          },
        },
        { highWaterMark: 0 },
      )
      const headers = { origin: ORIGIN, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body, duplex: 'half' } as const
      const response = await harness.access.handler(new Request(`${ORIGIN}/api/auth${path}`, request))
      assert.ok(pulled <= 65_536, `${pulled} bytes`)
      const expected = { '/sign-in/email': 413, '/sign-out': 200 }[path] ?? 404
      assert.equal(response.status, expected)
    })
  }

  it('answers 429 with the time to wait', async () => {
    const guess = { email: 'burst@acme.test', password: 'no' }
    for (let tries = 0; tries < 10; tries++) assert.equal((await post('/sign-in/email', guess)).status, 401)
    const stopped = await post('/sign-in/email', guess)
    assert.equal(stopped.status, 429)
    assert.equal(stopped.headers.get('retry-after'), '300')
  })

  it('offers nothing that is not on the list: nobody can sign up', async () => {
    for (const path of [
      '/sign-up/email',
      '/delete-user',
      '/update-user',
      '/sign-in/social',
      '/error',
      '/ok',
      '/get-session',
      '/list-sessions',
    ]) {
      assert.equal((await post(path, { email: 'x@x.test', password: PASSWORD, name: 'X' })).status, 404, path)
    }
  })
})

describe('sameOrigin', () => {
  const CASES = [
    [{ origin: ORIGIN }, true],
    [{ origin: 'http://sonde.test:81' }, false],
    [{ origin: 'null' }, false],
    [{ origin: 'http://localhost:5173' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }, false],
    [{}, false],
  ] as const
  for (const [headers, expected] of CASES) {
    it(`${JSON.stringify(headers)} is ${expected ? 'ours' : 'refused'}`, () => {
      assert.equal(sameOrigin(new Headers(headers), `${ORIGIN}/`, ['http://localhost:5173']), expected)
    })
  }
})
