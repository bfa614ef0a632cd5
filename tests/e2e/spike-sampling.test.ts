/** A flood of a real SDK against a project whose usual rate is known: fewer events are stored, every count is exact, and it is told. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import * as Sentry from '@sentry/node'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'

const data = temporaryDataDir()
const env = { SONDE_SPIKE_SAMPLING: '20' }
let sonde: RunningSonde
let api: ApiClient
let shop: CreatedProject

const FLOOD = 600
const WEEK_MS = 7 * 86_400_000

before(async () => {
  sonde = await startSonde({ dataDir: data.dir, env })
  api = apiClient(sonde)
  shop = createProject(sonde, 'acme/shop', 'node')
})
after(async () => {
  await sonde?.stop()
  data.remove()
})

/** What no test can wait for: weeks, and ten quiet minutes. */
function inRecords<Result>(run: (records: DatabaseSync) => Result): Result {
  const records = new DatabaseSync(join(data.dir, 'records.sqlite'))
  try {
    records.exec('PRAGMA busy_timeout = 5000')
    return run(records)
  } finally {
    records.close()
  }
}
const row = (sql: string): Record<string, unknown> | undefined =>
  inRecords((records) => records.prepare(sql).get())

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = Date.now() + 20_000
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}\n${sonde.log()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

class CheckoutError extends Error {
  override name = 'CheckoutError'
}

type Issue = { readonly title: string; readonly count: string; readonly id: string }

test('a flood is sampled with exact counts, told, shown while it lasts, and over when it is', async () => {
  const sdk = Sentry.init({
    dsn: shop.dsn,
    defaultIntegrations: false,
    transportOptions: { bufferSize: 2 * FLOOD },
  })
  assert.ok(sdk)
  Sentry.captureException(new CheckoutError('card declined'))
  await sdk.flush(10_000)
  await api.until<Issue[]>('/api/0/projects/acme/shop/issues/', ({ length }) => length === 1)

  await sonde.stop()
  inRecords((records) =>
    records.prepare('UPDATE project SET first_event_ms = ?').run(Date.now() - 2 * WEEK_MS),
  )
  sonde = await startSonde({ dataDir: data.dir, env, port: sonde.port })
  await until(() => row('SELECT * FROM spike_baseline') !== undefined, 'the usual rate is learnt')
  assert.equal(row('SELECT minute_limit FROM spike_baseline')?.['minute_limit'], 20)

  for (let at = 0; at < FLOOD; at++)
    Sentry.captureException(new CheckoutError(at % 2 === 0 ? 'card declined' : `order ${at}`))
  Sentry.captureException(new TypeError('never seen before'))
  await sdk.flush(30_000)
  const issues = await api.until<Issue[]>(
    '/api/0/projects/acme/shop/issues/',
    (list) => list.reduce((sum, { count }) => sum + Number(count), 0) === FLOOD + 2,
    30_000,
  )
  assert.ok(issues.some(({ title }) => title.includes('never seen before')))

  await until(() => row('SELECT 1 FROM spike WHERE told = 1') !== undefined, 'the beginning is told')
  const { kept, sampled } = row('SELECT kept, sampled FROM spike') as { kept: number; sampled: number }
  assert.ok(sampled > FLOOD / 2, `${sampled} events were left out`)
  assert.ok(kept < FLOOD / 2)
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/shop/issues')
  page.shows(/SHOP gets .* its usual events since/)
  page.shows(/1 in \d+ is stored, counts are exact/)
  await page.goto('/acme/shop/releases')
  page.shows(/its usual events since/)
  await page.goto('/settings/inbox')
  page.shows(/Spike in acme\/shop/)
  await page.goto('/acme/shop/settings')
  const section = page.part('#spikes')
  section.shows('Above 20 within a minute, events are sampled.')
  section.shows('ongoing')

  inRecords((records) =>
    records.prepare('UPDATE spike SET last_ms = last_ms - 660000, started_ms = started_ms - 660000').run(),
  )
  await until(() => row('SELECT 1 FROM spike WHERE told = 2') !== undefined, 'the end is told')
  await page.goto('/acme/shop/issues')
  assert.equal(page.has('its usual events since'), false)
  await page.goto('/settings/inbox')
  page.shows(/Spike over in acme\/shop/)
})

test('it can be switched off for the project, and then everything is stored', async () => {
  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/shop/settings')
  const section = page.part('#spikes')
  await section.press('Turn off for this project')
  page.shows('Spike protection saved.')
  page.part('#spikes').shows('Off: every event is stored')
  assert.equal(page.part('#spikes').buttons('Turn on for this project').length, 1)
  const before = row('SELECT kept, sampled FROM spike')
  for (let at = 0; at < 100; at++) Sentry.captureException(new CheckoutError('once more'))
  await Sentry.flush(10_000)
  await api.until<Issue[]>(
    '/api/0/projects/acme/shop/issues/',
    (list) => list.reduce((sum, { count }) => sum + Number(count), 0) === FLOOD + 102,
    30_000,
  )
  assert.deepEqual(row('SELECT kept, sampled FROM spike'), before)
})
