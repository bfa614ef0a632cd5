/** External issues in Sentry's shape, and where issue trackers send their webhooks: over HTTP, as programs and strangers see them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { createApi } from '@sonde/api'
import { silentLogger } from '@sonde/base'
import { createTracker } from '@sonde/commands'
import { createOutgoing } from '@sonde/outgoing'
import { githubWebhook, startGithub } from '../../../tests/harness/trackers/github.ts'
import type { TrackerServer } from '../../../tests/harness/trackers/tracker-server.ts'
import { openHarness, PUBLIC_URL } from './harness.ts'

type ExternalIssue = Readonly<Record<string, string>>

describe('issues of trackers', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>
  let github: TrackerServer
  let fetch: (path: string, init?: RequestInit) => Promise<Response>
  let trackerId: number
  let secret: string
  let issueId: number
  const tokens: Record<'change' | 'read' | 'rival', string> = { change: '', read: '', rival: '' }
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  before(async () => {
    harness = await openHarness()
    github = await startGithub('token-of-acme', ['acme/shop'])
    const { access, queries, blobs } = harness
    const commands = { ...harness.commands, trackers: { outgoing, seal: access.seal } }
    const parts = { access, queries, commands, blobs, publicUrl: PUBLIC_URL, logger: silentLogger }
    const api = createApi({ ...parts, clientAddress: (headers) => headers.get('x-test-from') ?? '' })
    fetch = async (path, init) => api.fetch(new Request(new URL(path, PUBLIC_URL), init))
    const project = await harness.project('acme', 'shop')
    await harness.project('rival', 'secret')
    issueId = (await harness.issue(project.id)).issueId
    tokens.change = await harness.token(['event:read', 'event:write'], 'acme')
    tokens.read = await harness.token(['event:read'], 'acme')
    tokens.rival = await harness.token(['event:read', 'event:write'], 'rival')
    const grant = await access.openOrg(operatorViewer, 'acme', 'integration:write')
    const made = await createTracker(commands, grant, {
      kind: 'github',
      name: 'Ours',
      settings: { apiUrl: github.url, places: ['acme/shop'] },
      secret: { token: 'token-of-acme' },
    })
    trackerId = made.id
    secret = made.webhookSecret ?? assert.fail('one is made')
  })
  after(async () => {
    github.close()
    await outgoing.close()
    await harness.close()
  })

  const call = async (method: string, path: string, body?: object, as: keyof typeof tokens = 'change') => {
    const answer = await fetch(`/api/0/issues/${issueId}/external-issues/${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens[as]}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as never }
  }
  const statusOf = async () =>
    (
      await harness.db
        .selectFrom('issue')
        .select('status')
        .where('id', '=', issueId)
        .executeTakeFirstOrThrow()
    ).status

  it('makes one, links one, lists and unlinks them', async () => {
    assert.deepEqual(await call('GET', '', undefined, 'read'), { status: 200, body: [] })
    const made = await call('POST', '', { trackerId: String(trackerId), title: 'Ours', description: 'Text' })
    assert.equal(made.status, 201)
    const { id, ...rest } = made.body as ExternalIssue
    assert.deepEqual(rest, {
      issueId: String(issueId),
      serviceType: 'github',
      displayName: 'acme/shop#1',
      webUrl: 'https://github.test/acme/shop/issues/1',
      trackerId: String(trackerId),
      title: 'Ours',
      state: 'open',
    })
    assert.equal(github.issues[0]?.text, 'Text')
    github.add('acme/shop', 'Theirs')
    const linked = await call('POST', '', { trackerId, key: '#2' })
    assert.deepEqual([linked.status, (linked.body as ExternalIssue)['displayName']], [201, 'acme/shop#2'])
    const again = await call('POST', '', { trackerId, key: 'https://github.test/acme/shop/issues/2' })
    assert.deepEqual(again.body, linked.body)
    const list = (await call('GET', '', undefined, 'read')).body as ExternalIssue[]
    assert.deepEqual(
      list.map(({ displayName }) => displayName),
      ['acme/shop#1', 'acme/shop#2'],
    )
    assert.equal((await call('DELETE', `${id}/`)).status, 204)
    assert.equal((await call('DELETE', `${id}/`)).status, 404)
    assert.equal(((await call('GET', '')).body as unknown[]).length, 1)
  })

  it('needs event:write, and the right organization', async () => {
    for (const [method, path] of [
      ['POST', ''],
      ['DELETE', '1/'],
    ] as const) {
      const place = `/api/0/organizations/acme/issues/${issueId}/external-issues/${path}`
      const headers = { authorization: `Bearer ${tokens.read}` }
      assert.equal((await fetch(place, { method, headers })).status, 403)
      assert.equal((await call(method, path, undefined, 'read')).status, 404)
    }
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', '1/'],
    ] as const)
      assert.equal(
        (await call(method, path, method === 'POST' ? { trackerId } : undefined, 'rival')).status,
        404,
      )
    const rival = await harness.project('rival', 'site')
    const theirs = await harness.issue(rival.id)
    const answer = await fetch(`/api/0/issues/${theirs.issueId}/external-issues/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.rival}`, 'content-type': 'application/json' },
      body: JSON.stringify({ trackerId, key: '#2' }),
    })
    // The tracker is acme's.
    assert.equal(answer.status, 404)
  })

  it('says what is wrong, in the words of the tracker too', async () => {
    for (const [body, field] of [
      [{}, 'trackerId'],
      [{ trackerId, key: 'nonsense' }, 'key'],
      [{ trackerId, key: 'acme/secret#1' }, 'key'],
      [{ trackerId, place: 'acme/secret' }, 'place'],
      [{ trackerId, title: 'x'.repeat(256) }, 'title'],
    ] as const) {
      const answer = await call('POST', '', body)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]])
    }
    assert.equal((await call('POST', '', { trackerId: 999_999 })).status, 404)
    github.refuse({ status: 410, body: { message: 'Issues are disabled for this repo' } })
    assert.deepEqual(await call('POST', '', { trackerId }), {
      status: 400,
      body: { detail: 'GitHub answered 410: Issues are disabled for this repo' },
    })
  })

  const post = (
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    from = '198.51.100.1',
  ) => fetch(path, { method: 'POST', headers: { ...headers, 'x-test-from': from }, body: body as string })
  const hook = (id: number | string = trackerId): string => `/api/0/trackers/${id}/webhook/`
  const closed = () => {
    const issue = github.issues[1] ?? assert.fail()
    issue.isOpen = false
    issue.changedMs += 60_000
    return githubWebhook(issue, 'closed', secret)
  }

  it('a webhook needs no sign-in, and its signature', async () => {
    const { headers, body } = closed()
    const refusals = [
      await post(hook(), {}, body),
      await post(hook(), { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, body),
      await post(hook(), headers, `${body} `),
      await post(hook(trackerId + 1), headers, body),
      await post(hook('0'), headers, body),
      await post(hook('nonsense'), headers, body),
      await post(hook('9'.repeat(30)), headers, body),
    ]
    const told = await Promise.all(refusals.map(async (each) => `${each.status} ${await each.text()}`))
    assert.deepEqual(new Set(told), new Set(['401 {"detail":"The signature is not valid."}']))
    assert.equal(await statusOf(), 'unresolved')
    assert.equal((await post(hook(), headers, body)).status, 200)
    assert.equal(await statusOf(), 'resolved')
    const seen = await harness.db
      .selectFrom('tracker_connection')
      .select('webhook_ms')
      .executeTakeFirstOrThrow()
    assert.equal(seen.webhook_ms, harness.clock.nowMs())
    const audited = await harness.db
      .selectFrom('audit_entry')
      .select(['actor', 'action', 'subject'])
      .where('actor', '=', `tracker:${trackerId}`)
      .execute()
    assert.deepEqual(audited, [
      { actor: `tracker:${trackerId}`, action: 'issue.resolve', subject: 'acme/shop' },
    ])
  })

  it('a body that is too long is not read, whether it says so or not', async () => {
    const { headers } = closed()
    const long = 'x'.repeat(1_000_001)
    assert.equal((await post(hook(), headers, long)).status, 400)
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 11; at++) controller.enqueue(Buffer.alloc(100_000))
        controller.close()
      },
    })
    const init = { method: 'POST', headers, body: stream, duplex: 'half' }
    assert.equal((await fetch(hook(), init as RequestInit)).status, 400)
  })

  it('one address guesses 600 times a minute', async () => {
    const from = '203.0.113.9'
    for (let at = 0; at < 600; at++) assert.equal((await post(hook(), {}, '{}', from)).status, 401)
    const answer = await post(hook(), {}, '{}', from)
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal((await post(hook(), {}, '{}', '203.0.113.10')).status, 401)
    harness.clock.advance(60_000)
    assert.equal((await post(hook(), {}, '{}', from)).status, 401)
  })
})
