/** Reports that browsers send by themselves, through the real endpoint to `/api/0`; and requests that name no key of ours. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { post } from './bad-input/post.ts'
import { eventById, type Issue } from './support/api-shapes.ts'
import { assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'

const REPORTS = join(import.meta.dirname, '../../fixtures/relay/security_report')
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

let harness: Harness
before(async () => {
  harness = await openHarness('javascript')
})
after(() => harness?.close())

async function report(endpoint: string, type: string, body: string): Promise<void> {
  const { sonde, project } = harness
  const url = `${sonde.url}/api/${project.id}/${endpoint}/?sentry_key=${project.publicKey}&sentry_release=shop%402`
  const headers = { 'content-type': type, 'user-agent': AGENT }
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 200)
}

async function issues(atLeast: number): Promise<readonly Issue[]> {
  const { org, project } = harness.project
  return harness.api.until<readonly Issue[]>(
    `/api/0/projects/${org}/${project}/issues/?limit=100`,
    (found) => found.reduce((sum, issue) => sum + Number(issue.count), 0) >= atLeast,
  )
}

test('every report of the fixtures becomes an event of an issue', async () => {
  const names = readdirSync(REPORTS).filter((name) => name.endsWith('.input.json'))
  assert.ok(names.length >= 5)
  for (const name of names)
    await report('security', 'application/csp-report', readFileSync(join(REPORTS, name), 'utf8'))
  const titles = (await issues(names.length)).map((issue) => issue.title).toSorted()
  assert.ok(
    titles.some((title) => title.startsWith("Expect-CT failed for 'www.example.com'")),
    titles.join(),
  )
  assert.ok(
    titles.some((title) => title.startsWith("Blocked 'style'")),
    titles.join(),
  )
})

test('each report of a Reporting-API array is an event, with who sent it', async () => {
  const before = (await issues(0)).reduce((sum, issue) => sum + Number(issue.count), 0)
  const violation = (blockedURL: string) => ({
    type: 'csp-violation',
    url: 'https://shop.example/cart',
    body: { documentURL: 'https://shop.example/cart', effectiveDirective: 'img-src', blockedURL },
  })
  const reports = ['https://a.example/1.png', 'https://a.example/2.png', 'https://b.example/1.png'].map(
    violation,
  )
  await report('csp-report', 'application/reports+json', JSON.stringify(reports))
  const found = (await issues(before + 3)).filter((issue) => issue.title.startsWith("Blocked 'image' from"))
  assert.deepEqual(found.map(({ title, count }) => `${title} ×${count}`).toSorted(), [
    "Blocked 'image' from 'a.example' ×2",
    "Blocked 'image' from 'b.example' ×1",
  ])
  const latest = await harness.api.until<{ eventID: string; type: string }>(
    `/api/0/organizations/${harness.project.org}/issues/${found[0]?.id}/events/latest/`,
    () => true,
  )
  assert.equal(latest.type, 'csp')
  const text = JSON.stringify(await eventById(harness, latest.eventID))
  for (const part of ['Firefox/130.0', '127.0.0.1', 'shop@2', 'effective-directive'])
    assert.ok(text.includes(part), part)
})

test('a network error that a browser reports later is an event, beside what else it reported', async () => {
  const before = (await issues(0)).reduce((sum, issue) => sum + Number(issue.count), 0)
  const reports = [
    {
      type: 'network-error',
      age: 5_000,
      url: 'https://api.shop.example/cart',
      body: { type: 'tcp.refused', phase: 'connection', method: 'GET', status_code: 0, sampling_fraction: 1 },
    },
    { type: 'crash', age: 10, url: 'https://shop.example/', body: { reason: 'oom' } },
  ]
  await report('nel', 'application/reports+json', JSON.stringify(reports))
  const titles = (await issues(before + 2)).map(({ title }) => title)
  for (const title of ['Network error tcp.refused: api.shop.example', 'The page crashed: oom'])
    assert.ok(titles.includes(title), titles.join())
})

test('requests without a known key are counted, and the doctor shows them', async () => {
  const path = `/api/${harness.project.id}/envelope/`
  const unknown = 'f'.repeat(32)
  assert.equal((await post(harness, Buffer.from('{}\n'), { path, key: unknown })).status, 403)
  assert.equal((await post(harness, Buffer.from('{}\n'), { path, key: null })).status, 401)
  await assertOutcomes(harness, [
    { category: 'default', outcome: 'invalid', reason: 'unknown_key', quantity: 1 },
    { category: 'default', outcome: 'invalid', reason: 'missing_auth', quantity: 1 },
  ])
})
