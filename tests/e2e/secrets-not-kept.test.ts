/** Answers that show a secret once, and the one that ends a session: what they tell the browser to keep. No browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProject } from '../harness/api-client.ts'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { totp } from '../harness/totp.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long enough one'
let sonde: RunningSonde
let cookies: Map<string, string>

before(async () => {
  sonde = await startSonde({ env: { SONDE_LOG_LEVEL: 'info' } })
  createProject(sonde, 'acme/shop')
  const args = ['--org', 'acme', '--email', EMAIL, '--role', 'admin', '--password', PASSWORD]
  sondeJson(sonde.dataDir, ['user', 'create', ...args])
  cookies = new Map()
  assert.equal((await post('/sign-in', { email: EMAIL, password: PASSWORD })).status, 303)
})

after(async () => {
  assert.equal(await sonde?.stop(), 0)
})

async function post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { origin: sonde.url, cookie }
  const body = new URLSearchParams(fields)
  const answer = await fetch(`${sonde.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' })
  for (const text of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    cookies.set(name, value)
  }
  return answer
}

const account = (form: string, fields: Readonly<Record<string, string>> = {}) =>
  post('/settings/account', { form, ...fields })

/** The page, which must show this and must be kept nowhere. */
async function shownOnce(answer: Response, status: number, secret: RegExp): Promise<string> {
  const html = await answer.text()
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [status, 'no-store'])
  const [, found = assert.fail(`no ${secret}`)] = secret.exec(html) ?? []
  return found.replaceAll('&amp;', '&')
}

test('a page that shows a token, the secret of an app or backup codes is kept nowhere', async () => {
  await shownOnce(
    await account('new-token', {
      org: 'acme',
      name: 'mine',
      scopes: 'event:read',
      currentPassword: PASSWORD,
    }),
    200,
    /(sonde_[\w-]{20,})/,
  )
  const uri = await shownOnce(
    await account('two-factor-start', { currentPassword: PASSWORD }),
    200,
    /(otpauth:\/\/totp\/[^"]+)/,
  )
  // A wrong first code shows the secret again.
  await shownOnce(await account('two-factor-confirm', { otpauthUri: uri, code: '12345' }), 422, /(otpauth:)/)
  const codes = /<code>([a-zA-Z0-9]{5}-[a-zA-Z0-9]{5})<\/code>/
  await shownOnce(await account('two-factor-confirm', { otpauthUri: uri, code: totp(uri) }), 200, codes)
  await shownOnce(await account('two-factor-codes', { currentPassword: PASSWORD }), 200, codes)
})

test('a page without a secret may be gone back to', async () => {
  const answer = await fetch(`${sonde.url}/sign-in`)
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
})

test('signing out, by form and as a program, tells the browser to forget what it kept', async () => {
  const form = await post('/sign-out', {})
  assert.deepEqual([form.status, form.headers.get('clear-site-data')], [303, '"cache", "storage"'])
  const program = await post('/api/auth/sign-out', {})
  assert.deepEqual([program.status, program.headers.get('clear-site-data')], [200, '"cache", "storage"'])
})

test('the log of the running server says who signed in, who failed and who left, from where', async () => {
  await post('/sign-in', { email: OWNER.email, password: 'not the password' })
  const lines = (): string[] => sonde.log().split('\n')
  for (const event of ['sign_in', 'two_factor_on', 'sign_out', 'sign_in_failed']) {
    const start = new RegExp(
      `^\\{"level":[34]0,"time":"[^"]+","role":"back","event":"${event}","address":"127\\.0\\.0\\.1"`,
    )
    for (let tries = 0; tries < 500 && !lines().some((line) => start.test(line)); tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.ok(
      lines().some((line) => start.test(line)),
      event,
    )
  }
})
