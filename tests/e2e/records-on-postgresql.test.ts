/** A Sonde whose records are on a PostgreSQL server, from its first start on. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { apiClient, createProject } from '../harness/api-client.ts'
import { createDatabase, type TestDatabase, testServer } from '../harness/servers/postgres-databases.ts'
import {
  type RunningSonde,
  sonde as run,
  sondeJson,
  startSonde,
  temporaryDataDir,
} from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'
import { checkoutError, sendEvent } from './screens-events.ts'

const SCREENS = [
  '/',
  '/acme',
  '/acme/issues',
  '/acme/shop/issues?query=cart',
  '/acme/shop/issues/SHOP-1',
  '/acme/shop/performance',
  '/acme/shop/vitals',
  '/acme/shop/navigations',
  '/acme/shop/releases',
  '/acme/shop/source-maps',
  '/acme/shop/settings',
  '/acme/settings',
  '/settings/account',
  '/settings/status',
]

const data = temporaryDataDir()
let database: TestDatabase
let sonde: RunningSonde
before(async () => {
  database = await createDatabase()
  // Of this process, so that the command line has it too.
  process.env['SONDE_DATABASE_URL'] = database.url.replace('sonde@', 'sonde:s3cret-word@')
  sonde = await startSonde({ dataDir: data.dir })
})
after(async () => {
  await sonde.stop()
  await database.drop()
  data.remove()
})

test('an event is stored, its issue is resolved, and every screen shows it, also after another start', async () => {
  const { dsn } = createProject(sonde, 'acme/shop')
  await sendEvent(dsn, checkoutError(Date.now()))
  const api = apiClient(sonde)
  const issues = await api.until<{ id: string }[]>(
    '/api/0/projects/acme/shop/issues/',
    (all) => all.length === 1,
  )
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/shop/issues/SHOP-1')
  await page.press('Resolve')
  const path = `/api/0/issues/${issues[0]?.id}/`
  await api.until<{ status: string }>(path, ({ status }) => status === 'resolved')

  assert.equal(await sonde.stop(), 0)
  sonde = await startSonde({ dataDir: data.dir })
  const again = await signedInPlain(sonde.url)
  for (const screen of SCREENS) {
    await again.goto(screen)
    assert.equal(again.status, 200, `${screen}: ${again.text}`)
  }
  assert.equal(existsSync(join(data.dir, 'records.sqlite')), false)
})

test('the doctor says where the records are, and nothing that is written has the password', () => {
  const { stdout } = run(data.dir, ['doctor'])
  assert.match(stdout, /PostgreSQL \d+.* at postgres:\/\/sonde@127\.0\.0\.1:\d+\/\w+, schema \d{4}-/)
  assert.doesNotMatch(stdout + sonde.output() + sonde.log(), /s3cret-word/)
})

test('what is sent while the server is away is stored when it is back', async () => {
  const { dsn } = createProject(sonde, 'acme/api')
  const api = apiClient(sonde)
  const server = await testServer()
  await sendEvent(dsn, checkoutError(Date.now()))
  const path = '/api/0/projects/acme/api/events/'
  await api.until<unknown[]>(path, (all) => all.length === 1)
  await server.stop()
  await sendEvent(dsn, checkoutError(Date.now()))
  assert.notEqual((await api.get(path)).status, 200)
  await server.start()
  await api.until<unknown[]>(path, (all) => all.length === 2)
  assert.deepEqual(sondeJson(data.dir, ['dead', 'list']), [])
})
