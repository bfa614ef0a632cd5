/** All trackers by one suite, each against a server that checks path, authorization and body as the vendor documents them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { asked } from '../../../../tests/harness/trackers/tracker-server.ts'
import { TrackerRefusal } from '../../src/trackers/call-tracker.ts'
import { KINDS, NOW_MS, type OpenKind, openKind, TRACKER_KINDS, WEBHOOK_SECRET } from './kinds.ts'

const refusedWith = (words: RegExp, again: 'later' | 'never', afterMs?: number) => (error: unknown) => {
  assert.ok(error instanceof TrackerRefusal, String(error))
  assert.match(error.message, words)
  assert.deepEqual([error.again, error.afterMs], [again, afterMs])
  return true
}

const DRAFT = {
  title: 'TypeError: x',
  body: '[SHOP-1](https://sonde.test/acme/shop/issues/SHOP-1) in Sonde\n\n- Where: cart',
}

for (const kind of TRACKER_KINDS)
  describe(kind, () => {
    let open: OpenKind
    before(async () => {
      open = await openKind(kind)
    })
    after(() => open.close())
    const state = () => open.server.issues[0]?.isOpen

    it('says who the token is, after each place was seen', async () => {
      assert.match(await open.client.check(), /^(?:octocat|tanuki|Ann)$/)
      const foreign = await openKind(kind, {
        places: [...open.places, kind === 'jira' || kind === 'linear' ? 'NONE' : 'acme/none'],
      })
      await assert.rejects(foreign.client.check(), refusedWith(/404|knows no team NONE/, 'never'))
      await foreign.close()
    })

    it('makes an issue with its text, and finds it by its key and by its words', async () => {
      const [place] = open.places
      const made = await open.client.create(place, DRAFT, crypto.randomUUID())
      assert.deepEqual([made.key, made.title, made.isOpen], [open.key, DRAFT.title, true])
      assert.ok(made.url.endsWith(open.address), made.url)
      const kept = open.server.issues[0]
      assert.ok(JSON.stringify(kept?.text).includes('https://sonde.test/acme/shop/issues/SHOP-1'))
      assert.deepEqual(await open.client.read(open.key), made)
      open.server.add(place, 'Another one')
      open.server.add(open.places[1], 'TypeError: x, of another place')
      const found = await open.client.search(place, 'TypeError')
      assert.deepEqual(found, [made])
      assert.deepEqual((await open.client.search(place, '')).map(({ key }) => key).length, 2)
    })

    it('closes and opens it, as often as it is told', async () => {
      const { id, key } = await open.client.read(open.key)
      for (const wanted of ['closed', 'closed', 'open', 'open'] as const) {
        const told = await open.client.setState({ id, key }, wanted)
        assert.deepEqual([told.isOpen, state()], [wanted === 'open', wanted === 'open'])
        assert.equal(told.changedMs - (told.changedMs % 1_000), open.server.issues[0]?.changedMs)
      }
    })

    it('writes a comment', async () => {
      const issue = await open.client.read(open.key)
      await open.client.comment(issue, 'Linked to [SHOP-1](https://sonde.test/x) in Sonde')
      assert.match(JSON.stringify(open.server.issues[0]?.comments), /https:\/\/sonde\.test\/x/)
    })

    it('reads keys that people type and paste', () => {
      const [place] = open.places
      const { settings } = open
      const url = (settings as { url?: string }).url ?? 'https://github.com'
      const typed: Record<string, readonly string[]> = {
        github: ['#1', '1', ' acme/shop#1 ', 'ACME/Shop#1', 'https://github.com/acme/shop/issues/1?x#y'],
        gitlab: [
          '#1',
          'acme/web/shop#1',
          `${url}/acme/web/shop/-/issues/1`,
          `${url}/acme/web/shop/-/work_items/1?a=b`,
        ],
        jira: ['shop-1', 'SHOP-1', `${url}/browse/SHOP-1?focusedId=3`],
        linear: ['shop-1', 'SHOP-1', 'https://linear.app/acme/issue/SHOP-1/type-error'],
      }
      for (const text of typed[kind] ?? []) assert.equal(open.tracker.readKey(settings, text), open.key, text)
      assert.equal(open.tracker.placeOf(open.key), place)
      for (const text of [
        '',
        'TypeError: x is not a function',
        '#',
        'acme',
        'x'.repeat(500),
        '-1',
        `1${'0'.repeat(40)}`,
      ])
        assert.equal(open.tracker.readKey(settings, text), undefined, text)
    })

    it('says in words what the tracker refuses, and whether another try makes sense', async () => {
      const unknown = await openKind(kind, { token: 'gone' })
      await assert.rejects(
        unknown.client.read(open.key),
        refusedWith(/answered 401: .*(?:The token is not valid|Authentication)/, 'never'),
      )
      await unknown.close()
      const { server, client } = open
      const read = () => client.read(open.key)
      server.refuse({ status: 403, body: { message: 'Resource not accessible by personal access token' } })
      await assert.rejects(
        read(),
        refusedWith(/answered 403: Resource not accessible by personal access token. The token may/, 'never'),
      )
      server.refuse({
        status: 422,
        body: { message: 'Validation Failed', errors: [{ field: 'title', message: 'title is too long' }] },
      })
      await assert.rejects(read(), refusedWith(/422: Validation Failed, title is too long/, 'never'))
      server.refuse({
        status: 400,
        body: { errorMessages: [], errors: { summary: 'is required', project: ['a', 'b'] } },
      })
      await assert.rejects(read(), refusedWith(/400: summary is required, project a, project b/, 'never'))
      server.refuse({ status: 429, headers: { 'retry-after': '30' }, body: { message: 'Too many' } })
      await assert.rejects(
        read(),
        refusedWith(/429: Too many. It has had too many requests/, 'later', 30_000),
      )
      server.refuse({ status: 403, body: { message: 'You have exceeded a secondary rate limit.' } })
      await assert.rejects(read(), refusedWith(/too many requests/, 'later'))
      server.refuse({
        status: 400,
        body: { errors: [{ message: 'Rate limit', extensions: { code: 'RATELIMITED' } }] },
      })
      await assert.rejects(read(), refusedWith(/too many requests/, 'later'))
      server.refuse({ status: 503, body: '<html>Down for maintenance</html>' })
      await assert.rejects(read(), refusedWith(/503: <html>Down for maintenance/, 'later'))
      server.refuse({ status: 302, headers: { location: 'http://169.254.169.254/' } })
      await assert.rejects(read(), refusedWith(/302: it lies at another address/, 'never'))
      server.refuse({ status: 200, body: '<!doctype html>' })
      await assert.rejects(read(), refusedWith(/answered 200 with something that is not JSON/, 'later'))
      server.refuse({ status: 200, body: { unexpected: true } })
      await assert.rejects(read(), refusedWith(/with something else than was asked for/, 'later'))
      server.refuse({ status: 200, body: ' '.repeat(5 * 1024 * 1024) })
      await assert.rejects(read(), refusedWith(/more than can be read at once/, 'never'))
      server.refuse({ status: 500, body: 'x'.repeat(5 * 1024 * 1024) })
      await assert.rejects(read(), refusedWith(/^.{400,700}$/, 'later'))
    })

    it('takes webhooks that it signed, and no other', async () => {
      const { tracker, settings, server } = open
      const issue = server.issues[0]
      assert.ok(issue)
      const { headers, body } = KINDS[kind].webhook(issue, WEBHOOK_SECRET)
      const bytes = Buffer.from(body)
      const isSigned = (sent: Record<string, string>, raw = bytes, secret = WEBHOOK_SECRET) =>
        tracker.isSigned(secret, sent, raw)
      assert.equal(isSigned(headers), true)
      assert.equal(isSigned(headers, bytes, 'another'), false)
      if (kind !== 'gitlab') assert.equal(isSigned(headers, Buffer.from(`${body} `)), false)
      assert.equal(isSigned({}), false)
      const [name = ''] = Object.keys(headers).filter((each) => /signature|token/.test(each))
      for (const wrong of [
        '',
        'sha256=',
        'sha1=00',
        `${headers[name]}0`,
        String(headers[name]).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        'é',
      ])
        assert.equal(isSigned({ ...headers, [name]: wrong }), false, wrong)
      const told = tracker.readWebhook(JSON.parse(body), settings, NOW_MS)
      assert.ok(told && told !== 'stale')
      const read = await open.client.read(open.key)
      assert.deepEqual(told, { ...read, isDeleted: false })
      for (const none of [
        undefined,
        null,
        1,
        [],
        {},
        { webhookTimestamp: NOW_MS },
        { ...JSON.parse(body), issue: {}, object_attributes: [], data: 3 },
      ])
        assert.ok(
          [undefined, 'stale'].includes(tracker.readWebhook(none, settings, NOW_MS) as never),
          JSON.stringify(none),
        )
    })

    it('says what is gone', () => {
      const issue = open.server.issues[0]
      const { deleted } = KINDS[kind]
      if (!deleted || !issue) return assert.equal(kind, 'gitlab')
      const told = open.tracker.readWebhook(
        JSON.parse(deleted(issue, WEBHOOK_SECRET).body),
        open.settings,
        NOW_MS,
      )
      assert.ok(told && told !== 'stale' && told.isDeleted)
    })
  })

describe('what one of them alone does', () => {
  it('github: words cannot become conditions of the search', async () => {
    const { client, server, close } = await openKind('github')
    await client.search('acme/shop', 'x repo:acme/secret "is:pr" -label:bug')
    assert.equal(
      server.requests[0]?.query.get('q'),
      'repo:acme/shop is:issue x repo acme secret is pr label bug',
    )
    await close()
  })

  it('jira: words cannot become conditions of the search', async () => {
    const { client, server, close } = await openKind('jira')
    await client.search('SHOP', String.raw`x" OR project = "APP\\" ~ y`)
    assert.equal(
      server.requests[0]?.query.get('jql'),
      'project = "SHOP" AND text ~ "x OR project APP y" ORDER BY updated DESC',
    )
    await close()
  })

  it('jira: a workflow without a way says so', async () => {
    const { client, server, close } = await openKind('jira')
    const issue = server.add('SHOP', 'Stuck')
    issue.detail = 'Frozen'
    await assert.rejects(
      client.setState({ id: issue.id, key: 'SHOP-1' }, 'closed'),
      refusedWith(
        /the workflow of SHOP-1 leads from “Frozen” to a status that is done by no transition/,
        'never',
      ),
    )
    await close()
  })

  it('jira: what is open in whichever status is left as it is', async () => {
    const { client, server, close } = await openKind('jira')
    const issue = server.add('SHOP', 'Begun')
    issue.detail = 'In Progress'
    await client.setState({ id: issue.id, key: 'SHOP-1' }, 'open')
    assert.equal(issue.detail, 'In Progress')
    await close()
  })

  it('linear: the first state of the type by position, and a second try finds the issue of the first', async () => {
    const { client, server, close } = await openKind('linear')
    const onceKey = crypto.randomUUID()
    const first = await client.create('SHOP', DRAFT, onceKey)
    assert.deepEqual(await client.create('SHOP', DRAFT, onceKey), first)
    assert.equal(server.issues.length, 1)
    await client.setState(first, 'closed')
    assert.equal(server.issues[0]?.detail, 'state-done')
    await client.setState(first, 'open')
    assert.equal(server.issues[0]?.detail, 'state-todo')
    await close()
  })

  it('linear: a webhook that is older than a minute is stale', async () => {
    const { tracker, settings, server, close } = await openKind('linear')
    const body: unknown = JSON.parse(KINDS.linear.webhook(server.add('SHOP', 'x'), WEBHOOK_SECRET).body)
    assert.notEqual(tracker.readWebhook(body, settings, NOW_MS + 60_000), 'stale')
    assert.equal(tracker.readWebhook(body, settings, NOW_MS + 60_001), 'stale')
    assert.equal(tracker.readWebhook(body, settings, NOW_MS - 60_001), 'stale')
    await close()
  })

  it('a token is sent to the address of the settings alone, whatever was typed', async () => {
    const { client, tracker, settings, server, close } = await openKind('github')
    server.add('acme/shop', 'x')
    const key = tracker.readKey(settings, 'https://evil.test/acme/shop/issues/1')
    await client.read(key ?? '')
    assert.deepEqual(asked(server), ['GET /repos/acme/shop/issues/1'])
    await close()
  })
})
