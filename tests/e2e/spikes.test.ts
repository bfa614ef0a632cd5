/** What a stranger with a DSN can send to a project that nobody set a limit for, and what its people see of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { launchChromium } from './chromium.ts'
import { messageEvent, newEventId } from './screens-events.ts'
import { visitSignedIn } from './screens-visit.ts'

const data = temporaryDataDir()
let sonde: RunningSonde
let api: ApiClient
let browser: Browser
let shop: CreatedProject
let other: CreatedProject

before(async () => {
  const env = { SONDE_SPIKE_LIMIT_EVENTS: '20', SONDE_SPIKE_LIMIT_ISSUES: '2' }
  sonde = await startSonde({ dataDir: data.dir, env })
  api = apiClient(sonde)
  browser = await launchChromium()
  shop = createProject(sonde, 'acme/shop')
  other = createProject(sonde, 'acme/other')
})
after(async () => {
  await browser?.close()
  await sonde?.stop()
  data.remove()
})

function send(project: CreatedProject, fingerprint: string): Promise<Response> {
  const event = { ...messageEvent(Date.now(), `flood of ${fingerprint}`), fingerprint: [fingerprint] }
  const body = JSON.stringify({ ...event, event_id: newEventId() })
  const url = `${sonde.url}/api/${project.id}/store/?sentry_key=${project.publicKey}`
  return fetch(url, { method: 'POST', body })
}

type Outcome = { readonly outcome: string; readonly reason: string; readonly quantity: number }
const counted = (reason: string): number =>
  sondeJson<{ outcomes: readonly Outcome[] }>(data.dir, ['doctor'])
    .outcomes.filter((each) => each.reason === reason)
    .reduce((sum, { quantity }) => sum + quantity, 0)

test('a flood makes a bounded number of issues, then is refused at the door; both are told', async () => {
  const statuses: number[] = []
  let refused: Response | undefined
  for (let at = 0; at < 30; at++) {
    const answer = await send(shop, `made up ${at}`)
    statuses.push(answer.status)
    if (answer.status === 429) refused = answer
    await answer.body?.cancel()
  }
  // A minute may have ended on the way.
  assert.ok(statuses.filter((status) => status === 200).length <= 40)
  assert.match(refused?.headers.get('x-sentry-rate-limits') ?? '', /^\d+:error:project:spike_events$/)
  assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
  assert.equal((await send(other, 'a real one')).status, 200)

  await api.until<unknown[]>('/api/0/projects/acme/other/issues/', ({ length }) => length === 1)
  const issues = await api.until<unknown[]>('/api/0/projects/acme/shop/issues/', ({ length }) => length >= 2)
  assert.ok(issues.length <= 4)
  const taken = statuses.filter((status) => status === 200).length
  assert.equal(counted('new_issues'), taken - issues.length)
  assert.ok(counted('spike_events') >= 1)

  const { page, complaints, close } = await visitSignedIn(browser, sonde.url)
  await page.goto('/acme/shop/issues')
  await page.getByText(/events? of the last 24 hours (is|are) in no issue/).waitFor()
  await page.getByRole('link', { name: 'a minute makes' }).click()
  const limit = page.locator('#limit')
  await limit.getByText('at most 20 errors').waitFor()
  await limit.getByText('At most 2 new issues').waitFor()
  await limit.getByText('were dropped because of too many new issues').waitFor()
  await limit.getByText('were rejected').or(limit.getByText('was rejected')).waitFor()
  await page.goto('/settings/status')
  await page.getByText('new_issues').waitFor()
  await page.getByText('spike_events').waitFor()
  await page.goto('/acme/other/issues')
  await page.getByText('a real one').waitFor()
  assert.equal(await page.getByText('in no issue').count(), 0)
  assert.deepEqual(complaints(), [])
  await close()
})
