/** What a stranger with a DSN can send to a project that nobody set a limit for, and what its people see of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde, temporaryDataDir } from '../harness/start-sonde.ts'
import { signedInPlain } from './plain-page.ts'
import { messageEvent, newEventId } from './screens-events.ts'

const data = temporaryDataDir()
let sonde: RunningSonde
let api: ApiClient
let shop: CreatedProject
let other: CreatedProject

before(async () => {
  const env = { SONDE_SPIKE_LIMIT_EVENTS: '20', SONDE_SPIKE_LIMIT_ISSUES: '2' }
  sonde = await startSonde({ dataDir: data.dir, env })
  api = apiClient(sonde)
  shop = createProject(sonde, 'acme/shop')
  other = createProject(sonde, 'acme/other')
})
after(async () => {
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
  // What the front refuses is written down a moment later.
  const endMs = Date.now() + 15_000
  while (counted('spike_events') === 0) assert.ok(Date.now() < endMs, 'no refusal was counted')

  const page = await signedInPlain(sonde.url)
  await page.goto('/acme/shop/issues')
  page.shows(/events? of the last 24 hours (is|are) in no issue/)
  await page.follow(/a minute makes/)
  const limit = page.part('#limit')
  limit.shows('at most 20 errors')
  limit.shows('At most 2 new issues')
  limit.shows('were dropped because of too many new issues')
  limit.shows(/(were|was) rejected/)
  await page.goto('/settings/status')
  page.shows('new_issues')
  page.shows('spike_events')
  await page.goto('/acme/other/issues')
  page.shows('a real one')
  assert.equal(page.has('in no issue'), false)
})
