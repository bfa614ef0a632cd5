/** Everything bad that a network brings, against the built Sonde; after all of it, it still does its work. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchChromium } from '../e2e/chromium.ts'
import { createProject } from '../harness/api-client.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { HOSTILE_EVENT, RAN, RIGHT_TO_LEFT, SHOWN_FIELDS, shownText } from './bad-input/hostile-event.ts'
import { envelopeOf, newId, post } from './bad-input/post.ts'
import { type BadKeys, refusedCases } from './bad-input/refused.ts'
import { type SlowEnd, startSlowLorises } from './bad-input/slow-loris.ts'
import { STRANGE_CASES } from './bad-input/strange.ts'
import { eventById, type Issue } from './support/api-shapes.ts'
import { assertOutcomes, doctor } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { issuePageText, signIn } from './support/screens.ts'

const SLOW_CLIENTS = 50
// It is told within about six seconds; the rest is for a busy machine.
const SLOW_PATIENCE_MS = 30_000

let harness: Harness
let keys: BadKeys
let slow: readonly Promise<PromiseSettledResult<SlowEnd>>[]

before(async () => {
  harness = await openHarness('javascript')
  keys = { ofOther: createProject(harness.sonde, 'acme/other').publicKey, disabled: await disabledKey() }
  // They drip while everything else runs.
  slow = startSlowLorises(harness, SLOW_CLIENTS, SLOW_PATIENCE_MS).map(async (each) => {
    const [settled] = await Promise.allSettled([each])
    return settled
  })
})
after(() => harness?.close())

async function disabledKey(): Promise<string> {
  const { sonde, project } = harness
  const scopes = ['--scopes', 'project:read,project:write']
  const { token } = sondeJson<{ token: string }>(sonde.dataDir, [
    'token',
    'create',
    '--name',
    'keys',
    ...scopes,
  ])
  const base = `${sonde.url}/api/0/projects/${project.org}/${project.project}/keys/`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(base, { method: 'POST', headers, body: '{"name":"old"}' })
  const { public: key } = (await made.json()) as { public: string }
  const off = await fetch(`${base}${key}/`, { method: 'PUT', headers, body: '{"isActive":false}' })
  assert.equal(off.status, 200)
  return key
}

async function sendGood(message: string): Promise<string> {
  const id = newId()
  const { status, body } = await post(harness, envelopeOf(id, { message }))
  assert.deepEqual({ status, body }, { status: 200, body: JSON.stringify({ id }) })
  return id
}

test('what cannot be taken is refused with the status that says why', async () => {
  const got: Record<string, number | string> = {}
  const wanted: Record<string, number> = {}
  for (const { name, status, body, options } of refusedCases(harness, keys)) {
    wanted[name] = status
    got[name] = await post(harness, body, options).then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    )
  }
  assert.deepEqual(got, wanted)
})

for (const { name, event, check } of STRANGE_CASES) {
  test(`an event with ${name} is stored and can be asked for`, async () => {
    const id = newId()
    const { status } = await post(harness, envelopeOf(id, event))
    assert.equal(status, 200)
    check(await eventById(harness, id))
  })
}

test('the content type does not matter, as it does not for browsers', async () => {
  for (const type of ['image/png', 'text/html; charset=koi8-r', 'multipart/form-data; boundary=x', '']) {
    const id = newId()
    const headers = { 'content-type': type }
    const { status } = await post(harness, envelopeOf(id, { message: 'typed' }), { headers })
    assert.equal(status, 200, type)
    await eventById(harness, id)
  }
})

test('an event id that was used is counted as a duplicate, and the first event stays', async () => {
  const id = newId()
  for (const message of ['the first one', 'the second one', 'the third one']) {
    const { status } = await post(harness, envelopeOf(id, { message }))
    assert.equal(status, 200)
    assert.equal((await eventById(harness, id)).title, 'the first one')
  }
  const found = await issuesOnce((rows) => rows.some(({ title }) => title === 'the first one'))
  const titles = found.map(({ title, count }) => `${title} ${count}`)
  assert.ok(titles.includes('the first one 1'), titles.join(' | '))
  assert.ok(!titles.some((title) => title.startsWith('the second one')), titles.join(' | '))
})

test('a payload that is no JSON at all is counted, and what came with it is not lost', async () => {
  const { status } = await post(harness, envelopeOf(newId(), Buffer.from([0, 1, 2, 0xff, 0x7b, 0])))
  assert.equal(status, 200)
  const id = await sendGood('after the noise')
  assert.equal((await eventById(harness, id)).title, 'after the noise')
})

test('HTML, script URLs and right-to-left text are shown as the text they are', async () => {
  const id = newId()
  assert.equal((await post(harness, envelopeOf(id, HOSTILE_EVENT))).status, 200)
  const { groupID } = await eventById(harness, id)
  const issue = await issueListed(groupID)
  const browser = await launchChromium()
  try {
    const page = await signIn(browser, harness)
    const list = new URL(`/${harness.project.org}/${harness.project.project}/issues`, harness.sonde.url)
    const event = new URL(`${new URL(issue.permalink).pathname}/events/${id}`, harness.sonde.url)
    for (const url of [list, event, new URL(`${event.href}/json`), new URL('/', harness.sonde.url)]) {
      await page.goto(url.href)
      await assertNothingRan(url.pathname)
    }
    const text = await issuePageText(page, harness, issue)
    await assertNothingRan('the issue')
    const missing = SHOWN_FIELDS.filter((field) => !text.includes(shownText(field)))
    assert.deepEqual(missing, [], `the page does not show these fields as text:\n${text}`)
    assert.ok(text.includes(RIGHT_TO_LEFT))
    const heading = page.locator('h1').first()
    const direction = await heading.evaluate((h1) => {
      const inner = h1.querySelector('bdi') ?? h1
      return getComputedStyle(inner).unicodeBidi
    })
    assert.match(direction, /isolate|plaintext/, 'a foreign title must not turn its surroundings')

    async function assertNothingRan(where: string): Promise<void> {
      // An image that fails to load runs its handler a moment later.
      await page.waitForTimeout(100)
      const found = await page.evaluate((ran) => {
        return {
          ran: ran in window,
          images: document.querySelectorAll('img[src="x"]').length,
          links: document.querySelectorAll('a[href^="javascript:" i]').length,
        }
      }, RAN)
      assert.deepEqual(found, { ran: false, images: 0, links: 0 }, where)
    }
  } finally {
    await browser.close()
  }
})

test('clients that drip their bodies are told to go, and hold nobody up meanwhile', async () => {
  const startedMs = Date.now()
  await sendGood('in between')
  assert.ok(Date.now() - startedMs < 2_000)
  for (const end of await Promise.all(slow)) {
    assert.equal(end.status, 'fulfilled', end.status === 'rejected' ? String(end.reason) : '')
    assert.match(end.value.answer, /^HTTP\/1\.1 408 /)
  }
})

test('after all of it Sonde accepts, shows what it accepts, and knows what went wrong', async () => {
  const { sonde } = harness
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await fetch(`${sonde.url}${path}`)).status, 200, path)
  const id = await sendGood('the good one at the end')
  const event = await eventById(harness, id)
  assert.equal(event.title, 'the good one at the end')
  assert.ok(!('polluted' in event), 'no key of another event became everybody’s')
  await issueListed(event.groupID)
  await assertOutcomes(harness, [
    { category: 'error', outcome: 'invalid', reason: 'too_large', quantity: 1 },
    { category: 'default', outcome: 'accepted', reason: '', quantity: 5 },
  ])
  const report = doctor(harness)
  const dead = report.parts.find((part) => part.name === 'dead letters')
  if (report.deadLetters === 0) assert.equal(report.state, 'ok', JSON.stringify(report.parts))
  else assert.match(dead?.detail ?? '', new RegExp(`^${report.deadLetters} `))
  const others = report.parts.filter((part) => part !== dead && part.state !== 'ok')
  assert.deepEqual(others, [])
})

function issuesOnce(isSo: (rows: readonly Issue[]) => boolean): Promise<readonly Issue[]> {
  const { org, project } = harness.project
  return harness.api.until<readonly Issue[]>(`/api/0/projects/${org}/${project}/issues/?limit=100`, isSo)
}

/** An event can be read a moment before its issue is counted. */
async function issueListed(id: string): Promise<Issue> {
  const isIt = (row: Issue): boolean => row.id === id
  const issue = (await issuesOnce((rows) => rows.some(isIt))).find(isIt)
  assert.ok(issue)
  return issue
}
