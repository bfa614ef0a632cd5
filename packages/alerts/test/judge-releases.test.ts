import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { previewReleases } from '../src/index.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000

type Body = {
  readonly type: string
  readonly data: {
    readonly title: string
    readonly level: string
    readonly verdict?: {
      readonly verdict: string
      readonly release: string
      readonly before: string | null
      readonly measures: readonly { readonly name: string; readonly sentence: string }[]
    }
  }
}

describe('rules about releases', () => {
  let harness: Harness
  let shop: Awaited<ReturnType<Harness['project']>>
  let hook: Awaited<ReturnType<Harness['webhook']>>
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  /** The time goes on: what one test left is not in the windows of the next. */
  let startMs = NOW_MS
  beforeEach(async () => {
    startMs += 60 * 86_400_000
    harness.at(startMs)
    harness.receiver.received.length = 0
    harness.receiver.answer(() => ({ status: 200 }))
    shop = await harness.project('shop')
    hook = await harness.webhook(shop.orgId)
  })

  const bodies = () => harness.receiver.received.map(({ body }) => JSON.parse(body) as Body)
  const later = (minutes: number) => harness.at(startMs + minutes * MINUTE_MS + 10_000)
  const toHook = () => ({ actions: [{ type: 'channel' as const, channelId: hook.id }] })
  const verdicts = () =>
    harness.records
      .selectFrom('release_judgement')
      .innerJoin('release', 'release.id', 'release_judgement.release_id')
      .select(['release.version', 'verdict', 'looks'])
      .where('release.org_id', '=', shop.orgId)
      .orderBy('release.id')
      .execute()

  it('judge each release once, so long after its first event, and post the verdict signed', async () => {
    await harness.release(shop, 'shop@1.0.0', { crashed: 10 })
    harness.at(startMs + 30 * MINUTE_MS)
    await harness.releaseRule(shop.id, { afterMinutes: 60, tells: ['worse'], ...toHook() })
    await harness.release(shop, 'shop@2.0.0', { crashed: 900 })
    later(89)
    assert.equal(await harness.judge(), 0)
    assert.deepEqual(await verdicts(), [])
    later(90)
    assert.equal(await harness.judge(), 1)
    assert.equal(await harness.judge(), 0)
    later(600)
    assert.equal(await harness.judge(), 0)
    const [request, ...more] = harness.receiver.received
    assert.deepEqual([more.length, request?.path], [0, '/hook'])
    const [body] = bodies()
    assert.equal(body?.type, 'alert.release')
    assert.equal(body.data.title, 'shop@2.0.0 is worse than shop@1.0.0.')
    assert.deepEqual(
      [body.data.verdict?.verdict, body.data.verdict?.release, body.data.verdict?.before],
      ['worse', 'shop@2.0.0', 'shop@1.0.0'],
    )
    assert.match(body.data.verdict?.measures[0]?.sentence ?? '', /^More sessions crash: \+17\.8 points/)
    const { headers, body: text } = request!
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`
    const key = Buffer.from(hook.key.slice('whsec_'.length), 'base64')
    assert.equal(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    const incident = await harness.records
      .selectFrom('incident')
      .select(['dedup_key', 'resolved_ms', 'cause'])
      .where('project_id', '=', shop.id)
      .executeTakeFirstOrThrow()
    assert.match(incident.dedup_key, /^release:\d+:\d+$/)
    assert.equal(incident.resolved_ms, null)
    assert.match(incident.cause, /shop@2\.0\.0 is worse than shop@1\.0\.0/)
  })

  it('note what is not told, and tell what was chosen, whose incident needs nobody', async () => {
    await harness.release(shop, 'shop@1.0.0', { crashed: 10, of: 100_000 })
    harness.at(startMs + 30 * MINUTE_MS)
    await harness.releaseRule(shop.id, { afterMinutes: 30, tells: ['worse'], ...toHook() })
    await harness.releaseRule(shop.id, { afterMinutes: 30, tells: ['same', 'not_enough_data'], ...toHook() })
    await harness.release(shop, 'shop@2.0.0', { crashed: 10, of: 100_000 })
    later(60)
    assert.equal(await harness.judge(), 1)
    assert.deepEqual(
      (await verdicts()).map(({ version, verdict }) => `${version} ${verdict}`),
      ['shop@2.0.0 same', 'shop@2.0.0 same'],
    )
    assert.deepEqual(
      bodies().map(({ data }) => [data.level, data.title]),
      [['info', 'shop@2.0.0 is as good as shop@1.0.0.']],
    )
    const incident = await harness.records
      .selectFrom('incident')
      .select(['resolved_by'])
      .where('project_id', '=', shop.id)
      .executeTakeFirstOrThrow()
    assert.equal(incident.resolved_by, 'rule')
  })

  it('tell early when asked to, and at the end what was not decided before', async () => {
    await harness.release(shop, 'shop@1.0.0', { crashed: 10 })
    harness.at(startMs + 20 * MINUTE_MS)
    await harness.releaseRule(shop.id, {
      afterMinutes: 40,
      isEarly: true,
      tells: ['worse', 'not_enough_data'],
      ...toHook(),
    })
    await harness.release(shop, 'shop@2.0.0', { crashed: 0, of: 10 })
    later(25)
    await harness.release(shop, 'shop@3.0.0', { crashed: 900 })
    later(31)
    await harness.judge()
    assert.deepEqual(bodies(), [])
    later(36)
    await harness.judge()
    // Against ten sessions nothing is said, so not before the end.
    assert.deepEqual(await verdicts(), [
      { version: 'shop@2.0.0', verdict: '', looks: 1 },
      { version: 'shop@3.0.0', verdict: '', looks: 1 },
    ])
    later(70)
    assert.equal(await harness.judge(), 2)
    const early = await harness.release(shop, 'shop@4.0.0', { crashed: 4_000 })
    assert.ok(early > 0)
    later(81)
    assert.equal(await harness.judge(), 1)
    assert.deepEqual(
      bodies().map(({ data }) => `${data.verdict?.release} ${data.verdict?.verdict}`),
      ['shop@2.0.0 not_enough_data', 'shop@3.0.0 not_enough_data', 'shop@4.0.0 worse'],
    )
    assert.equal((await verdicts()).at(-1)?.looks, 1)
  })

  it('begin with a deploy to their environment, and leave alone what began before them', async () => {
    const old = await harness.release(shop, 'shop@1.0.0', { crashed: 10, hasEvent: false })
    const deploy = (releaseId: number, environment: string) =>
      harness.records
        .insertInto('deploy')
        .values({
          release_id: releaseId,
          environment,
          name: null,
          url: null,
          started_ms: null,
          finished_ms: harness.clock.nowMs(),
        })
        .execute()
    await deploy(old, 'production')
    harness.at(startMs + 10 * MINUTE_MS)
    await harness.releaseRule(shop.id, {
      begins: 'deploy',
      environment: 'production',
      afterMinutes: 10,
      tells: ['worse'],
      ...toHook(),
    })
    const fresh = await harness.release(shop, 'shop@2.0.0', { crashed: 900, hasEvent: false })
    await deploy(fresh, 'staging')
    later(30)
    assert.equal(await harness.judge(), 0)
    await deploy(fresh, 'production')
    later(39)
    assert.equal(await harness.judge(), 0)
    later(41)
    assert.equal(await harness.judge(), 1)
    await deploy(fresh, 'production')
    later(90)
    assert.equal(await harness.judge(), 0)
    assert.deepEqual(
      bodies().map(({ data }) => data.verdict?.release),
      ['shop@2.0.0'],
    )
  })

  it('are retried by the outbox with the same key, and tell nobody while they are muted or off', async () => {
    await harness.release(shop, 'shop@1.0.0', { crashed: 10 })
    harness.at(startMs + 10 * MINUTE_MS)
    const rule = { afterMinutes: 10, tells: ['worse' as const], ...toHook() }
    await harness.releaseRule(shop.id, rule)
    await harness.releaseRule(shop.id, rule, { muted_until_ms: startMs + 60 * MINUTE_MS })
    const off = await harness.releaseRule(shop.id, rule)
    await harness.records.updateTable('alert_rule').set({ is_enabled: 0 }).where('id', '=', off).execute()
    await harness.release(shop, 'shop@2.0.0', { crashed: 900 })
    harness.receiver.answer(() => ({ status: 503 }))
    later(21)
    assert.equal(await harness.judge(), 1)
    harness.receiver.answer(() => ({ status: 200 }))
    later(51)
    assert.equal(await harness.judge(), 0)
    const keys = harness.receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
  })

  it('say what they would have told of the last releases', async () => {
    await harness.release(shop, 'shop@1.0.0', { crashed: 10 })
    harness.at(startMs + 60 * MINUTE_MS)
    await harness.release(shop, 'shop@2.0.0', { crashed: 900 })
    harness.at(startMs + 100 * MINUTE_MS)
    await harness.release(shop, 'shop@3.0.0', { crashed: 5 })
    later(110)
    const grant = await harness.access.openProject(operatorViewer, shop.orgSlug, shop.slug, 'event:read')
    const preview = await previewReleases({ ...harness.deps }, grant, {
      begins: 'first_event',
      afterMinutes: 30,
      environment: '',
      tells: ['worse'],
    })
    assert.deepEqual(
      preview.judged.map(({ release, verdict, isTold }) => [release, verdict, isTold]),
      [
        ['shop@2.0.0', 'worse', true],
        ['shop@1.0.0', 'not_enough_data', false],
      ],
    )
    assert.equal(preview.told, 1)
  })
})
