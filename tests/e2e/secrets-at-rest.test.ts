/** What lies on the disk after a real start: who may read it, and that a copy of the records alone opens nothing. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiClient, createProject } from '../harness/api-client.ts'
import { OWNER, sonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { messageEvent, sendEvent } from './screens-events.ts'

const openToOthers = (dir: string): string[] =>
  ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })].filter((name) => {
    const found = lstatSync(join(dir, name), { throwIfNoEntry: false })
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })

const signIn = async (url: string): Promise<Response> =>
  fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(OWNER),
  })
const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const isSignedIn = async (url: string, cookie: string): Promise<boolean> =>
  (await fetch(`${url}/api/0/organizations/`, { headers: { cookie } })).status === 200

test('nobody else on the machine reads anything, also in a folder of an older version', async (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  mkdirSync(join(data.dir, 'blobs', 'dead'), { recursive: true })
  writeFileSync(join(data.dir, 'blobs', 'dead', 'old'), 'x')
  for (const name of ['', 'blobs', 'blobs/dead']) chmodSync(join(data.dir, name), 0o755)
  chmodSync(join(data.dir, 'blobs/dead/old'), 0o644)
  const running = await startSonde({ dataDir: data.dir })
  const project = createProject(running, 'acme/shop')
  const eventId = await sendEvent(project.dsn, messageEvent(Date.now(), 'Lies on the disk'))
  await apiClient(running).until(`/api/0/projects/acme/shop/events/${eventId}/`, () => true)
  const names = readdirSync(data.dir)
  for (const kind of ['records.sqlite', 'records.sqlite-wal', 'back.sock', 'secret.key', 'telemetry', 'log'])
    assert.ok(names.includes(kind), kind)
  assert.deepEqual(openToOthers(data.dir), [])
  const doctor = sondeJson<{ parts: { name: string; state: string }[] }>(data.dir, ['doctor'])
  assert.equal(doctor.parts.find(({ name }) => name === 'permissions')?.state, 'ok')
  assert.equal(await running.stop(), 0)
  assert.deepEqual(openToOthers(data.dir), [])
})

test('the key is in no file but its own, and is changed while Sonde is stopped', async (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  const file = join(data.dir, 'secret.key')
  const env = { SONDE_SECRET_FILE: file }
  let running = await startSonde({ dataDir: data.dir, env })
  const first = readFileSync(file, 'utf8').trim()
  const cookie = cookieOf(await signIn(running.url))
  assert.ok(await isSignedIn(running.url, cookie))

  const refused = sonde(data.dir, ['secret', 'rotate'], env)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Sonde is running.*\n.*stop it, rotate/)
  assert.equal(readFileSync(file, 'utf8').trim(), first)
  assert.equal(await running.stop(), 0)
  for (const name of readdirSync(data.dir, { recursive: true, encoding: 'utf8' })) {
    const path = join(data.dir, name)
    if (name !== 'secret.key' && lstatSync(path).isFile())
      assert.ok(!readFileSync(path, 'latin1').includes(first), name)
  }

  assert.equal(sondeJson<{ sessions: number }>(data.dir, ['secret', 'rotate'], env).sessions, 1)
  const second = readFileSync(file, 'utf8').trim()
  assert.notEqual(second, first)
  running = await startSonde({ dataDir: data.dir, env })
  assert.equal(await isSignedIn(running.url, cookie), false)
  assert.ok(await isSignedIn(running.url, cookieOf(await signIn(running.url))))
  assert.equal(await running.stop(), 0)

  rmSync(file)
  await assert.rejects(startSonde({ dataDir: data.dir, env }), /it is missing[^]*secret rotate --lost/)
  assert.equal(sonde(data.dir, ['secret', 'rotate'], env).code, 2)
  assert.equal(sonde(data.dir, ['secret', 'rotate', '--lost'], env).code, 0)
  running = await startSonde({ dataDir: data.dir, env })
  assert.ok(await isSignedIn(running.url, cookieOf(await signIn(running.url))))
  assert.equal(await running.stop(), 0)
})
