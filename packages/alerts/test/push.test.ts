import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { NotificationChoice } from '@sonde/stores'
import { sql } from 'kysely'
import { openBrowser, openPushService, PUSH_ORIGIN } from '../../../tests/harness/push-service.ts'
import { arePushKeys, createPusher, type Message } from '../src/index.ts'
import { deliverDue } from '../src/outbox/deliver.ts'
import { encryptPush, MAX_PUSH_BYTES } from '../src/push/encrypt.ts'
import { pushOf } from '../src/push/pusher.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

/** RFC 8291, section 5 and appendix A. */
const RFC = {
  text: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz' +
    'AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

describe('encryption of a push', () => {
  it('is the example of the RFC, byte for byte', () => {
    const privateKey = Buffer.from(RFC.sender, 'base64url')
    const body = encryptPush(RFC.text, RFC, { privateKey, salt: Buffer.from(RFC.salt, 'base64url') })
    assert.equal(body.toString('base64url'), RFC.body)
  })

  it('is read by the browser alone, to the last byte that fits, and differs each time', async () => {
    const [browser, other] = [await openBrowser('a'), await openBrowser('b')]
    for (const text of ['', 'é👍', 'x'.repeat(MAX_PUSH_BYTES)]) {
      const body = encryptPush(text, browser)
      assert.ok(body.length <= 4_096)
      assert.equal(await browser.read(body), text)
      await assert.rejects(other.read(body))
    }
    assert.notDeepEqual(encryptPush('x', browser), encryptPush('x', browser))
    assert.throws(() => encryptPush('x'.repeat(MAX_PUSH_BYTES + 1), browser), RangeError)
  })

  it('takes no keys that are none', async () => {
    const { p256dh, auth } = await openBrowser('a')
    assert.equal(arePushKeys({ p256dh, auth }), true)
    const zeros = Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url')
    for (const wrong of ['', 'x', zeros, auth, `${p256dh}AA`])
      assert.equal(arePushKeys({ p256dh: wrong, auth }), false, wrong)
    for (const wrong of ['', 'AAAA', p256dh]) assert.equal(arePushKeys({ p256dh, auth: wrong }), false)
  })

  it('of whatever a program wrote fits, and leads to a path', () => {
    const message: Message = {
      kind: 'new',
      headline: '漢'.repeat(1_000),
      title: '👍"\\\u0001'.repeat(10_000),
      place: '漢'.repeat(1_000),
      level: 'error',
      facts: [],
      url: `https://sonde.test/acme/shop/issues/SHOP-1?x=${'y'.repeat(5_000)}`,
      org: 'acme',
      project: 'shop',
      issue: { id: 1, shortId: 'SHOP-1' },
      atMs: 0,
    }
    const content = pushOf(message)
    assert.ok(Buffer.byteLength(JSON.stringify(content)) <= MAX_PUSH_BYTES)
    assert.ok(content.path.startsWith('/acme/shop/issues/SHOP-1'))
    assert.ok(content.body.isWellFormed())
  })
})

describe('notifications in browsers', () => {
  let harness: Harness
  let service: Awaited<ReturnType<typeof openPushService>>
  before(async () => {
    service = await openPushService()
    harness = await openHarness((outgoing) => service.through(outgoing))
  })
  after(async () => {
    await harness.close()
    service.close()
  })
  beforeEach(() => {
    service.pushed.length = 0
    service.answer(() => 201)
  })

  let made = 0
  async function subscribe(userId: string) {
    const id = `session ${++made}`
    const at = new Date(NOW_MS).toISOString()
    await harness.records
      .insertInto('session')
      .values({ id, token: id, userId, expiresAt: at, createdAt: at, updatedAt: at })
      .execute()
    const browser = await openBrowser(`browser-${made}`)
    const { endpoint, p256dh, auth } = browser
    await harness.records
      .insertInto('push_subscription')
      .values({ user_id: userId, session_id: id, endpoint, p256dh, auth, user_agent: '', created_ms: 0 })
      .execute()
    return { ...browser, sessionId: id }
  }
  async function shopWith(email: string) {
    const shop = await harness.project('shop')
    const userId = await harness.member(shop.orgId, email)
    await harness.rule(shop.id, {
      triggers: [{ type: 'new' }],
      actions: [{ type: 'members' }],
      coolDownMinutes: 0,
    })
    return { shop, userId }
  }
  const happens = async (projectId: number) => {
    const issue = await harness.issue(projectId)
    await harness.change(projectId, issue.id, 'new', issue.eventId)
    await harness.settle()
    return issue
  }
  const of = (userId: string) =>
    harness.records
      .selectFrom('notification')
      .select(['state', 'answer'])
      .where('user_id', '=', userId)
      .where('medium', '=', 'push')
      .orderBy('id')
      .execute()
  const choose = (user_id: string, choice: NotificationChoice) =>
    harness.records
      .insertInto('notification_setting')
      .values({ user_id, medium: 'push', choice, project_id: null })
      .execute()

  it('each browser of the person gets it, encrypted for it, with a proof of who sends', async () => {
    const { shop, userId } = await shopWith('two@a.test')
    const [one, two] = [await subscribe(userId), await subscribe(userId)]
    await happens(shop.id)
    assert.deepEqual(service.pushed.map(({ path }) => path).sort(), [
      new URL(one.endpoint).pathname,
      new URL(two.endpoint).pathname,
    ])
    for (const { path, body, claims, headers, key } of service.pushed) {
      const browser = path === new URL(one.endpoint).pathname ? one : two
      const shown = JSON.parse(await browser.read(body)) as Record<string, string>
      assert.match(shown['title'] ?? '', /^New issue in org-\d+\/shop$/)
      assert.match(shown['body'] ?? '', /^TypeError/)
      assert.match(shown['path'] ?? '', /^\/org-\d+\/shop\/issues\/SHOP-\d+$/)
      assert.deepEqual([claims.aud, claims.sub], [PUSH_ORIGIN, 'https://sonde.test'])
      const validSec = claims.exp - NOW_MS / 1_000
      assert.ok(validSec > 0 && validSec <= 24 * 3_600)
      assert.deepEqual([headers['ttl'], headers['urgency']], ['86400', 'high'])
      assert.equal(key, await harness.deps.pusher.publicKey())
    }
    assert.deepEqual(await of(userId), [{ state: 'sent', answer: '201; 201' }])
  })

  it('the key is made once, also by two processes, and is kept sealed', async () => {
    const { channels, publicUrl } = harness.deps
    await harness.records.deleteFrom('setting').where('name', '=', 'vapid_key').execute()
    const pusher = () => createPusher({ ...channels, records: harness.records, publicUrl })
    const keys = await Promise.all([pusher().publicKey(), pusher().publicKey()])
    assert.deepEqual([keys[0], keys[0]], [keys[1], await pusher().publicKey()])
    const { value } = await harness.records
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'vapid_key')
      .executeTakeFirstOrThrow()
    assert.ok(value.startsWith('sealed '))
  })

  it('who has no browser, wants nothing there, or left, gets none', async () => {
    const { shop, userId } = await shopWith('none@a.test')
    await happens(shop.id)
    assert.deepEqual(await of(userId), [])
    await subscribe(userId)
    await choose(userId, 'none')
    await happens(shop.id)
    assert.deepEqual(await of(userId), [])
    await harness.records.deleteFrom('notification_setting').where('user_id', '=', userId).execute()
    const issue = await harness.issue(shop.id)
    service.answer(() => 503)
    await harness.change(shop.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    await harness.records.deleteFrom('member').where('user_id', '=', userId).execute()
    service.answer(() => 201)
    harness.clock.advance(60_000)
    await harness.settle()
    assert.deepEqual(await of(userId), [
      { state: 'failed', answer: 'no longer a member of the organization' },
    ])
  })

  it('a browser that is gone is forgotten, the others are told; a service that is busy is asked again', async () => {
    const { shop, userId } = await shopWith('gone@a.test')
    const [gone, kept] = [await subscribe(userId), await subscribe(userId)]
    service.answer((path) => (gone.endpoint.endsWith(path) ? 410 : 201))
    await happens(shop.id)
    const left = await harness.records
      .selectFrom('push_subscription')
      .select('endpoint')
      .where('user_id', '=', userId)
      .execute()
    assert.deepEqual(left, [{ endpoint: kept.endpoint }])
    assert.equal((await of(userId))[0]?.state, 'sent')
    service.answer(() => 429)
    await happens(shop.id)
    assert.equal((await of(userId))[1]?.state, 'waiting')
    service.answer(() => 404)
    harness.clock.advance(60_000)
    await harness.settle()
    assert.deepEqual((await of(userId))[1]?.state, 'failed')
  })

  it('a browser whose keys are not valid is forgotten, and neither its person nor anybody else waits for it', async () => {
    const { shop, userId } = await shopWith('damaged@a.test')
    const [damaged, whole] = [await subscribe(userId), await subscribe(userId)]
    const damage = (endpoint: string) =>
      sql`UPDATE push_subscription SET p256dh = ${Buffer.alloc(65, 4).toString('base64url')}
        WHERE endpoint = ${endpoint}`.execute(harness.records)
    await damage(damaged.endpoint)
    await happens(shop.id)
    assert.deepEqual(await of(userId), [
      { state: 'sent', answer: 'the keys of the browser are not valid; 201' },
    ])
    await damage(whole.endpoint)
    await happens(shop.id)
    assert.deepEqual((await of(userId))[1], {
      state: 'failed',
      answer: 'the keys of the browser are not valid',
    })
    const left = harness.records.selectFrom('push_subscription').where('user_id', '=', userId)
    assert.deepEqual(await left.select('id').execute(), [])
  })

  it('what throws is tried again, and ends as failed', async () => {
    const { shop, userId } = await shopWith('throws@a.test')
    await subscribe(userId)
    const { value } = await harness.records
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'vapid_key')
      .executeTakeFirstOrThrow()
    const keep = (text: string) =>
      harness.records.updateTable('setting').set({ value: text }).where('name', '=', 'vapid_key').execute()
    const { channels, publicUrl } = harness.deps
    const broken = createPusher({ ...channels, records: harness.records, publicUrl })
    const issue = await harness.issue(shop.id)
    service.answer(() => 503)
    await harness.change(shop.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    await keep('sealed with a key that is lost')
    const deps = { ...harness.deps, pusher: broken }
    const states = new Set<string>()
    for (let attempt = 0; attempt < 12; attempt++) {
      harness.clock.advance(5 * 60 * 60_000)
      await deliverDue(deps, new AbortController().signal)
      states.add((await of(userId))[0]?.state ?? '')
    }
    await keep(value)
    assert.deepEqual([...states], ['waiting', 'failed'])
    assert.match((await of(userId))[0]?.answer ?? '', /^could not be made: /)
  })

  it('ends with its session', async () => {
    const { shop, userId } = await shopWith('out@a.test')
    const { sessionId } = await subscribe(userId)
    await harness.records.deleteFrom('session').where('id', '=', sessionId).execute()
    await happens(shop.id)
    assert.deepEqual(await of(userId), [])
    assert.deepEqual(service.pushed, [])
  })

  it('many within a minute are one', async () => {
    const { shop, userId } = await shopWith('many@a.test')
    const browser = await subscribe(userId)
    for (let at = 0; at < 15; at++) {
      const issue = await harness.issue(shop.id)
      await harness.change(shop.id, issue.id, 'new', issue.eventId)
    }
    await harness.settle()
    assert.equal(service.pushed.length, 1)
    const shown = await browser.read(service.pushed[0]?.body ?? Buffer.of())
    assert.match(shown, /15 alerts/)
  })
})
