/** What a Sonde behind an appending proxy believes of a request, and what it shows to whom. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { OWNER, type RunningSonde, sondeJson, startSonde } from '../harness/start-sonde.ts'

const TOKEN = 'a-token-of-some-length'

let sonde: RunningSonde
before(async () => {
  sonde = await startSonde({ env: { SONDE_TRUST_PROXY: '1', SONDE_METRICS_TOKEN: TOKEN } })
})
after(async () => assert.equal(await sonde.stop(), 0))

type Asked = { readonly method?: string; readonly headers: Record<string, string>; readonly body?: string }

/** As `fetch`, which does not let us name a Host. */
function ask(
  path: string,
  { method = 'GET', headers, body }: Asked,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(sonde.url + path, { method, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const signIn = (password: string, forwardedFor: string) =>
  ask('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { origin: sonde.url, 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
    body: JSON.stringify({ email: OWNER.email, password }),
  })

test('a session is noted with the address that the proxy appended, not with the one that the client wrote', async () => {
  assert.equal((await signIn(OWNER.password, '6.6.6.6, 203.0.113.9')).status, 200)
  const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'), { readOnly: true })
  const addresses = records
    .prepare('SELECT * FROM session')
    .all()
    .map((row) => Object.values(row))
  records.close()
  assert.ok(addresses.flat().includes('203.0.113.9'), JSON.stringify(addresses))
  assert.ok(!addresses.flat().includes('6.6.6.6'))
})

test('tries are counted for the address that the proxy appended, whatever else the client writes', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 60 && !statuses.includes(429); at += 1)
    // eslint-disable-next-line no-await-in-loop -- one try after the other
    statuses.push((await signIn('wrong', `6.6.6.${at}, 198.51.100.7`)).status)
  assert.ok(statuses.includes(429), statuses.join())
  assert.equal((await signIn(OWNER.password, '198.51.100.7, 203.0.113.9')).status, 200)
})

test('a name that is not known reaches no screen, no sign-in and no API; probes answer', async () => {
  const headers = { host: `rebound.example:${sonde.port}` }
  for (const path of ['/sign-in', '/api/auth/get-session', '/api/0/organizations/'])
    assert.equal((await ask(path, { headers })).status, 421, path)
  for (const path of ['/healthz', '/readyz']) assert.equal((await ask(path, { headers })).status, 200, path)
  assert.equal((await ask('/sign-in', { headers: { host: `localhost:${sonde.port}` } })).status, 200)
})

test('the metrics are for this machine and for who has the token, not for who comes through the proxy', async () => {
  const through = { 'x-forwarded-for': '203.0.113.9' }
  assert.equal((await ask('/metrics', { headers: {} })).status, 200)
  assert.equal((await ask('/metrics', { headers: through })).status, 404)
  const withToken = await ask('/metrics', { headers: { ...through, authorization: `Bearer ${TOKEN}` } })
  assert.equal(withToken.status, 200)
  assert.match(withToken.text, /^sonde_pipeline_/m)
})

test('TLS in front of a Sonde that was not told its https address is said by the doctor', async () => {
  type Report = { readonly parts: readonly { readonly name: string; readonly detail: string }[] }
  const part = () =>
    sondeJson<Report>(sonde.dataDir, ['doctor']).parts.find(({ name }) => name === 'public address')
  assert.equal(part(), undefined)
  await ask('/sign-in', { headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' } })
  assert.match(part()?.detail ?? '', /SONDE_PUBLIC_URL/)
  assert.match(sonde.log(), /SONDE_PUBLIC_URL is not an https address/)
})
