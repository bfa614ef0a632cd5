import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createSeal, operatorViewer, type UserViewer, VAPID_KEY } from '@sonde/access'
import { createPusher } from '@sonde/alerts'
import { errorKind } from '@sonde/base'
import {
  addPushSubscription,
  ensureProject,
  InvalidInput,
  removePushSubscription,
  rotateSecret,
  testPush,
} from '@sonde/commands'
import { createOutgoing } from '@sonde/outgoing'
import { pushBrowsers } from '@sonde/queries'
import { openBrowser, openPushService } from '../../../tests/harness/push-service.ts'
import { type Harness, openHarness } from './harness.ts'

describe('notifications in a browser', () => {
  let harness: Harness
  let ann: UserViewer
  let bob: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    ann = await harness.viewer('acme', 'member', 'ann@acme.test')
    bob = await harness.viewer('acme', 'member', 'bob@acme.test')
  })
  after(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('push_subscription').execute()
  })

  const subscribed = async (name: string) => {
    const { endpoint, p256dh, auth } = await openBrowser(name)
    return { endpoint, p256dh, auth, userAgent: 'Firefox' }
  }
  const queries = () => ({ records: harness.db })
  const ids = async (viewer: UserViewer) => (await pushBrowsers(queries(), viewer)).map(({ id }) => id)

  it('are switched on by a person for one browser, and off by nobody else', async () => {
    const { id } = await addPushSubscription(harness.deps, ann, await subscribed('a'))
    assert.deepEqual(await ids(ann), [id])
    const [shown] = await pushBrowsers(queries(), ann)
    assert.equal(JSON.stringify(shown).includes('push.example'), false)
    await removePushSubscription(harness.deps, bob, { id })
    assert.deepEqual(await ids(ann), [id])
    await removePushSubscription(harness.deps, ann, { id })
    await removePushSubscription(harness.deps, ann, { id })
    assert.deepEqual(await ids(ann), [])
    const audit = (await harness.audit()).filter((line) => line.includes('push.'))
    assert.deepEqual(audit, [
      `user:${ann.userId} push.add ${ann.userId}`,
      `user:${ann.userId} push.remove ${ann.userId}`,
    ])
  })

  it('a browser is one person’s: whoever switched it on last', async () => {
    const browser = await subscribed('shared')
    await addPushSubscription(harness.deps, ann, browser)
    const { id } = await addPushSubscription(harness.deps, bob, browser)
    assert.deepEqual([await ids(ann), await ids(bob)], [[], [id]])
  })

  it('the oldest of more than twenty goes', async () => {
    const made: number[] = []
    for (let at = 0; at < 21; at++)
      made.push((await addPushSubscription(harness.deps, ann, await subscribed(`b${at}`))).id)
    assert.deepEqual(await ids(ann), made.slice(1).toReversed())
  })

  it('what is no address, has no keys, or comes without a session is refused', async () => {
    const right = await subscribed('c')
    for (const wrong of [
      { endpoint: 'http://push.example/c' },
      { endpoint: 'https://a:b@push.example/c' },
      { endpoint: 'file:///etc/passwd' },
      { endpoint: '' },
      { endpoint: `https://push.example/${'x'.repeat(2_048)}` },
      { p256dh: 'x' },
      { auth: '' },
    ])
      await assert.rejects(addPushSubscription(harness.deps, ann, { ...right, ...wrong }), InvalidInput)
    const { sessionId, ...noSession } = ann
    assert.ok(sessionId)
    await assert.rejects(addPushSubscription(harness.deps, noSession, right), InvalidInput)
    assert.deepEqual(await ids(ann), [])
  })

  it('end with the session, and with the account', async () => {
    const headers = await harness.cookies('bob@acme.test', 'correct horse')
    const viewer = await harness.access.viewerFromCookies(headers)
    assert.ok(viewer)
    await addPushSubscription(harness.deps, viewer, await subscribed('d'))
    await harness.access.signOut(headers)
    assert.deepEqual(await ids(bob), [])
  })

  it('a test reaches one’s own browser alone', async () => {
    const service = await openPushService()
    const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
    const parts = { records: harness.db, seal: harness.access.seal, publicUrl: harness.access.publicUrl }
    const pusher = createPusher({ ...parts, outgoing: service.through(outgoing) })
    const browser = await openBrowser('e')
    const { endpoint, p256dh, auth } = browser
    const { id } = await addPushSubscription(harness.deps, ann, { endpoint, p256dh, auth, userAgent: '' })
    const result = await testPush({ ...harness.deps, pusher }, ann, { id })
    assert.deepEqual(result, { isDelivered: true, answer: '201' })
    const shown = JSON.parse(await browser.read(service.pushed[0]?.body ?? Buffer.of())) as { path: string }
    assert.equal(shown.path, '/settings/notifications')
    await assert.rejects(
      testPush({ ...harness.deps, pusher }, bob, { id }),
      (error) => errorKind(error) === 'not-found',
    )
    assert.equal(service.pushed.length, 1)
    service.close()
    await outgoing.close()
  })

  it('the key goes over to another key of the installation, and is gone with one that is lost', async () => {
    const [from, to] = [
      'a secret of at least thirty-two characters',
      'another secret of thirty-two characters',
    ]
    const publicKey = (key: string) => {
      const outgoing = createOutgoing({ userAgent: 'Sonde/test' })
      const seal = createSeal(key)
      return createPusher({ records: harness.db, seal, outgoing, publicUrl: 'https://x.test' }).publicKey()
    }
    const before = await publicKey(from)
    await rotateSecret(harness.deps, operatorViewer, { from, to })
    assert.equal(await publicKey(to), before)
    await rotateSecret(harness.deps, operatorViewer, { from: undefined, to: from })
    const row = await harness.db
      .selectFrom('setting')
      .select('name')
      .where('name', '=', VAPID_KEY)
      .executeTakeFirst()
    assert.equal(row, undefined)
    assert.notEqual(await publicKey(from), before)
  })
})
