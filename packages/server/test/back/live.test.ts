import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newApiToken, operatorViewer } from '@sonde/access'
import { deleteUser, disableUser, makeScimToken } from '@sonde/commands'
import { type LiveHarness, openLiveHarness } from './live-harness.ts'

const GAP_MS = 150

async function harness(t: TestContext, options = {}, silenceMs?: number): Promise<LiveHarness> {
  const opened = await openLiveHarness({ gapMs: GAP_MS, ...options }, silenceMs)
  t.after(() => opened.close())
  return opened
}

type Headers = Readonly<Record<string, string>>

/** `messages` and `beats` so far; `next` waits for one more message. */
async function hear(t: TestContext, url: string, headers: Headers) {
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const answer = await fetch(url, { headers, signal: stopping.signal })
  const heard = { messages: [] as unknown[], inbox: 0, beats: 0, hasEnded: false }
  let wake = Promise.withResolvers<void>()
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        if (event === ':') heard.beats++
        if (event === 'event: inbox\ndata: {}') heard.inbox++
        const data = /^event: changes\ndata: (.*)$/.exec(event)?.[1]
        if (data === undefined) continue
        heard.messages.push((JSON.parse(data) as { changes: unknown }).changes)
      }
      wake.resolve()
      wake = Promise.withResolvers()
    }
  }
  const reading = read().then(
    () => (heard.hasEnded = true),
    () => undefined,
  )
  return {
    answer,
    heard,
    stop: () => stopping.abort(),
    ended: reading,
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo()) await wake.promise
    },
  }
}

const commit = (projects: readonly number[], issues: readonly number[], created: readonly number[] = []) => ({
  projects,
  issues,
  created,
  regressed: [] as number[],
})

test('who listens hears at once which issues of which project were stored, and of no other organization', async (t) => {
  const { publish, url, projects, issue, token } = await harness(t)
  const bearer = { authorization: `Bearer ${await token(['event:read'])}` }
  const all = await hear(t, `${url}/acme/live/`, bearer)
  const blog = await hear(t, `${url}/acme/live/?project=blog`, bearer)
  assert.equal(all.answer.status, 200)
  assert.match(all.answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(all.answer.headers.get('cache-control'), 'private, no-store')
  const [sold, hidden] = [await issue(projects.shop), await issue(projects.secret)]
  publish(commit([projects.shop, projects.secret], [sold, hidden], [sold]))
  await all.until(() => all.heard.messages.length === 1)
  assert.deepEqual(all.heard.messages, [
    [{ project: projects.shop, issues: [sold], created: [sold], regressed: [], more: false }],
  ])
  const written = await issue(projects.blog)
  publish(commit([projects.blog], [written]))
  await blog.until(() => blog.heard.messages.length === 1)
  assert.deepEqual(blog.heard.messages, [
    [{ project: projects.blog, issues: [written], created: [], regressed: [], more: false }],
  ])
})

test('an issue that became part of another is told by its own id too', async (t) => {
  const { publish, url, projects, issue, merge, token } = await harness(t)
  const ear = await hear(t, `${url}/acme/live/`, { authorization: `Bearer ${await token(['event:read'])}` })
  const [gone, kept] = [await issue(projects.shop), await issue(projects.shop)]
  await merge(projects.shop, gone, kept)
  publish(commit([projects.shop], [gone, kept]))
  await ear.until(() => ear.heard.messages.length === 1)
  const [first] = ear.heard.messages as { issues: number[] }[][]
  assert.deepEqual(first?.[0]?.issues.toSorted(), [gone, kept])
})

test('many commits are told together, with a pause in between', async (t) => {
  const { publish, url, projects, issue, token } = await harness(t)
  const ear = await hear(t, `${url}/acme/live`, { authorization: `Bearer ${await token(['event:read'])}` })
  const ids = [await issue(projects.shop), await issue(projects.shop), await issue(projects.shop)]
  const beganMs = performance.now()
  for (let round = 0; round < 40; round++) {
    publish(commit([projects.shop], [ids[round % 3] ?? 0]))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const mostTimes = Math.ceil((performance.now() - beganMs) / GAP_MS) + 1
  await ear.until(() => ear.heard.messages.length >= 2)
  assert.ok(ear.heard.messages.length <= mostTimes, `${ear.heard.messages.length} messages`)
  const last = ear.heard.messages.at(-1) as { issues: number[] }[]
  assert.ok((last[0]?.issues.length ?? 0) <= 3)
})

const REFUSED: readonly (readonly [string, string, Headers, number])[] = [
  ['nobody', '/acme/live/', {}, 401],
  // The same for one that is not there: it tells whose the token is, and nothing else.
  ['another organization', '/rival/live/', { authorization: 'Bearer TOKEN' }, 403],
  ['no organization', '/nobody/live/', { authorization: 'Bearer TOKEN' }, 403],
  ['a project that is not there', '/acme/live/?project=secret', { authorization: 'Bearer TOKEN' }, 404],
  ['a page of another site', '/acme/live/', { cookie: 'COOKIE', 'sec-fetch-site': 'cross-site' }, 403],
  ['our own page', '/acme/live/?project=shop', { cookie: 'COOKIE', 'sec-fetch-site': 'same-origin' }, 200],
]
test('only who may read the events of the project may listen', async (t) => {
  const { url, token, cookie } = await harness(t)
  const names = { TOKEN: await token(['event:read']), COOKIE: await cookie('viewer@acme.test') }
  for (const [name, path, headers, status] of REFUSED) {
    const filled = Object.entries(headers).map(([key, value]) => [
      key,
      value.replace(/TOKEN|COOKIE/, (word) => names[word as keyof typeof names]),
    ])
    const ear = await hear(t, url + path, Object.fromEntries(filled) as Headers)
    assert.equal(ear.answer.status, status, name)
  }
  const without = { authorization: `Bearer ${await token(['project:read'])}` }
  assert.equal((await hear(t, `${url}/acme/live/`, without)).answer.status, 403)
})

test('a person has a few connections, and gets a new one for each that ends', async (t) => {
  const { url, token } = await harness(t, { maxPerViewer: 2 })
  const bearer = { authorization: `Bearer ${await token(['event:read'])}` }
  const first = await hear(t, `${url}/acme/live/`, bearer)
  await hear(t, `${url}/acme/live/`, bearer)
  const third = await hear(t, `${url}/acme/live/`, bearer)
  assert.equal(third.answer.status, 429)
  first.stop()
  await first.ended
  for (let tries = 0; ; tries++) {
    const again = await hear(t, `${url}/acme/live/`, bearer)
    if (again.answer.status === 200) break
    assert.ok(tries < 100, 'the place was never given back')
  }
  const other = { authorization: `Bearer ${await token(['event:read'])}` }
  assert.equal((await hear(t, `${url}/acme/live/`, other)).answer.status, 200)
})

test('heartbeats keep a silent stream through the proxy, which gives up silent requests', async (t) => {
  const { publish, url, projects, issue, token } = await harness(t, { beatMs: 100 }, 500)
  const ear = await hear(t, `${url}/acme/live/`, { authorization: `Bearer ${await token(['event:read'])}` })
  await ear.until(() => ear.heard.beats >= 12)
  publish(commit([projects.shop], [await issue(projects.shop)]))
  await ear.until(() => ear.heard.messages.length === 1)
  assert.equal(ear.heard.hasEnded, false)
})

test('without them the proxy would have ended it', async (t) => {
  const { url, token } = await harness(t, { beatMs: 60_000 }, 200)
  const ear = await hear(t, `${url}/acme/live/`, { authorization: `Bearer ${await token(['event:read'])}` })
  await ear.ended
  assert.equal(ear.heard.messages.length, 0)
})

test('a stream ends by itself after its time', async (t) => {
  const { url, token } = await harness(t, { lifeMs: 200 })
  const ear = await hear(t, `${url}/acme/live/`, { authorization: `Bearer ${await token(['event:read'])}` })
  await ear.ended
  assert.equal(ear.heard.hasEnded, true)
})

test('a back that stops need not wait for those who listen', async (t) => {
  const { live, url, token, stopBack } = await harness(t)
  const ear = await hear(t, `${url}/acme/live/`, { authorization: `Bearer ${await token(['event:read'])}` })
  const beganMs = performance.now()
  live.close()
  await stopBack()
  await ear.ended
  assert.equal(ear.heard.hasEnded, true)
  assert.ok(performance.now() - beganMs < 2_000)
  assert.equal(
    live.open({
      actor: 'user:1',
      orgId: 1,
      projectIds: undefined,
      mayListen: () => Promise.resolve(true),
    }),
    'stopping',
  )
})

const LEAVING: readonly (readonly [string, (harness: LiveHarness, email: string) => Promise<unknown>])[] = [
  ['was removed', (harness, email) => harness.remove(email)],
  ['was disabled', ({ commands }, email) => disableUser(commands, operatorViewer, { email })],
  ['was deleted', ({ commands }, email) => deleteUser(commands, operatorViewer, { email })],
  ['is not active in the directory', inactiveByScim],
  ['signed out everywhere', ({ db }) => db.deleteFrom('session').execute()],
  ['is limited to projects of teams', ({ limit }) => limit()],
]

/** By a request of the directory, through the front. The person's token ends with the feed, and the session opens nothing. */
async function inactiveByScim(
  { commands, db, url, userId, cookie }: LiveHarness,
  email: string,
): Promise<void> {
  const grant = await commands.access.openOrg(operatorViewer, 'acme', 'org:write')
  const { token: scim } = await makeScimToken(commands, grant, { currentPassword: '' })
  const id = await userId(email)
  const session = { cookie: await cookie(email) }
  const { token, tokenHash } = newApiToken()
  const own = {
    org_id: grant.orgId,
    user_id: id,
    name: 'own',
    token_hash: tokenHash,
    scopes: '["event:read"]',
  }
  await db
    .insertInto('api_token')
    .values({ ...own, created_ms: 1, last_used_ms: null })
    .execute()
  const authorization = `Bearer ${token}`
  const listen = async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/acme/live/`, { headers })
    await answer.body?.cancel()
    return answer.status
  }
  assert.deepEqual([await listen({ authorization }), await listen(session)], [200, 200])
  const patched = await fetch(`${url}/acme/scim/v2/Users/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${scim}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ Operations: [{ op: 'replace', path: 'active', value: false }] }),
  })
  assert.equal(patched.status, 200, await patched.text())
  assert.deepEqual([await listen({ authorization }), await listen(session)], [401, 404])
}

/** Long after which nobody may hear anything: no beat comes before. */
const SOON_MS = 1_000
for (const [what, leave] of LEAVING) {
  test(`who ${what} is out of the feed within a second, without a beat`, async (t) => {
    const opened = await harness(t)
    const { url, cookie, publish, projects, issue } = opened
    const leaver = 'leaver@acme.test'
    const gone = await hear(t, `${url}/acme/live/?project=shop`, { cookie: await cookie(leaver) })
    const stays = { authorization: `Bearer ${await opened.token(['event:read'])}` }
    const stayed = await hear(t, `${url}/acme/live/`, stays)
    await leave(opened, leaver)
    const leftMs = performance.now()
    await gone.ended
    assert.equal(gone.heard.hasEnded, true)
    const tookMs = performance.now() - leftMs
    assert.ok(tookMs < SOON_MS, `${Math.round(tookMs)} ms`)
    publish(commit([projects.shop], [await issue(projects.shop)]))
    await stayed.until(() => stayed.heard.messages.length === 1)
    assert.equal(stayed.heard.hasEnded, false)
    assert.deepEqual(gone.heard.messages, [])
  })
}

test('a feed of the organization tells a limited member of the projects of their teams alone, and follows the teams', async (t) => {
  const { url, cookie, publish, projects, issue, limit, team } = await harness(t)
  const session = { cookie: await cookie('ada@acme.test') }
  await limit()
  const { join, leave } = await team('ada@acme.test', projects.blog)
  const blog = await hear(t, `${url}/acme/live/`, session)
  const [sold, written] = [await issue(projects.shop), await issue(projects.blog)]
  publish(commit([projects.shop, projects.blog], [sold, written]))
  await blog.until(() => blog.heard.messages.length === 1)
  assert.deepEqual(blog.heard.messages, [
    [{ project: projects.blog, issues: [written], created: [], regressed: [], more: false }],
  ])
  assert.equal((await hear(t, `${url}/acme/live/?project=shop`, session)).answer.status, 404)
  await leave()
  await blog.ended
  const nothing = await hear(t, `${url}/acme/live/`, session)
  await join()
  await nothing.ended
  assert.deepEqual([nothing.heard.hasEnded, nothing.heard.messages], [true, []])
})

test('a token that is deleted, or made to expire, ends its feed within a second', async (t) => {
  const { url, token, db } = await harness(t)
  for (const end of [
    () => db.updateTable('api_token').set({ expires_ms: 1 }).execute(),
    () => db.deleteFrom('api_token').execute(),
  ]) {
    const authorization = `Bearer ${await token(['event:read'])}`
    const feed = await hear(t, `${url}/acme/live/`, { authorization })
    await end()
    const endedMs = performance.now()
    await feed.ended
    assert.ok(performance.now() - endedMs < SOON_MS)
    assert.equal((await fetch(`${url}/acme/live/`, { headers: { authorization } })).status, 401)
  }
})

test('a person is told that the own inbox changed, by the stream of a list or by one for that alone, and of no other person', async (t) => {
  const { publish, publishInbox, url, inboxUrl, cookie, userId, token, projects, issue, remove } =
    await harness(t, { beatMs: 50 })
  const [ada, bo] = [await cookie('ada@acme.test'), await cookie('bo@acme.test')]
  const own = await hear(t, inboxUrl, { cookie: ada })
  const list = await hear(t, `${url}/acme/live/`, { cookie: ada })
  const other = await hear(t, inboxUrl, { cookie: bo })
  const bearer = { authorization: `Bearer ${await token(['event:read'])}` }
  const tokens = await hear(t, `${url}/acme/live/`, bearer)
  assert.deepEqual(
    [own, list, other, tokens].map(({ answer }) => answer.status),
    [200, 200, 200, 200],
  )
  publishInbox([await userId('ada@acme.test')])
  await own.until(() => own.heard.inbox === 1)
  await list.until(() => list.heard.inbox === 1)
  const sold = await issue(projects.shop)
  publish(commit([projects.shop], [sold]))
  publishInbox([await userId('bo@acme.test')])
  await other.until(() => other.heard.inbox === 1)
  await tokens.until(() => tokens.heard.messages.length === 1)
  assert.deepEqual(
    [own, list, tokens].map(({ heard }) => heard.inbox),
    [1, 1, 0],
  )
  assert.deepEqual([own.heard.messages, other.heard.messages], [[], []], 'issues are not the inbox’s')

  const nobody = await fetch(inboxUrl)
  const noPerson = await fetch(inboxUrl, { headers: bearer })
  const foreign = await fetch(inboxUrl, { headers: { cookie: ada, 'sec-fetch-site': 'cross-site' } })
  assert.deepEqual([nobody.status, noPerson.status, foreign.status], [401, 403, 403])
  for (const answer of [nobody, noPerson, foreign]) await answer.body?.cancel()
  await remove('ada@acme.test')
  await list.ended
  assert.equal(list.heard.hasEnded, true)
})
