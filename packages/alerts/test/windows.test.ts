/** Rules that count over a time: real rows in the engine, minute by minute. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { encodePrefetchRow, encodeSpanRow } from '@sonde/stores'
import type { Message, MetricRuleInput } from '../src/index.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS

describe('alerts about what is counted', () => {
  let harness: Harness
  let startMs = NOW_MS
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(async () => {
    harness.receiver.received.length = 0
    await harness.records.updateTable('alert_rule').set({ is_enabled: 0 }).execute()
    // Each in a time of its own.
    startMs += WEEK_MS
    harness.at(startMs)
  })

  const dataOf = ({ body }: { readonly body: string }) => (JSON.parse(body) as { data: Message }).data
  const told = () =>
    harness.receiver.received.map((request) => `${dataOf(request).kind}: ${dataOf(request).title}`)

  async function setUp() {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    const actions = [{ type: 'channel' as const, channelId }]
    const { id: issueId } = await harness.issue(shop.id, { receivedMs: NOW_MS, timestampMs: NOW_MS })
    const errors = (more: Partial<MetricRuleInput> = {}): MetricRuleInput => ({
      metric: { source: 'errors', measure: 'count()', search: '' },
      windowMinutes: 1,
      trigger: 10,
      actions,
      ...more,
    })
    return { shop, actions, issueId, errors }
  }

  it('a metric fires when its window is over, once, and tells when it is calm again', async () => {
    const { shop, issueId, errors } = await setUp()
    await harness.metricRule(shop.id, errors())
    await harness.events(shop.id, issueId, 11)
    await harness.minute()
    assert.deepEqual(told(), [])
    harness.at(startMs + MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(told(), ['metric: Rule: Error events is 11'])
    await harness.events(shop.id, issueId, 30)
    harness.at(startMs + 2 * MINUTE_MS + 6_000)
    await harness.minute()
    assert.equal(told().length, 1)
    harness.at(startMs + 3 * MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(told().slice(1), ['resolved: Rule: Error events is 0'])
    const incidents = await harness.records
      .selectFrom('incident')
      .select(['started_ms', 'resolved_ms'])
      .where('project_id', '=', shop.id)
      .execute()
    const minute = (number: number) => startMs + number * MINUTE_MS
    assert.deepEqual(incidents, [{ started_ms: minute(1), resolved_ms: minute(3) }])
  })

  it('a window that passed while nobody looked is looked at afterwards, and none before it twice', async () => {
    const { shop, issueId, errors } = await setUp()
    await harness.metricRule(shop.id, errors())
    harness.at(startMs + 2 * MINUTE_MS)
    await harness.events(shop.id, issueId, 20)
    harness.at(startMs + 30 * MINUTE_MS)
    await harness.minute()
    assert.deepEqual(
      told().map((text) => text.split(':')[0]),
      ['metric', 'resolved'],
    )
    await harness.minute()
    assert.equal(told().length, 2)
  })

  it('waits for what was received and is not stored yet', async () => {
    const { shop, issueId, errors } = await setUp()
    await harness.metricRule(shop.id, errors())
    await harness.events(shop.id, issueId, 11)
    harness.at(startMs + MINUTE_MS + 6_000)
    const { deps } = harness as { deps: { lagMs: () => Promise<number> } }
    const known = deps.lagMs
    deps.lagMs = async () => 30_000
    await harness.minute()
    assert.deepEqual(told(), [])
    deps.lagMs = known
    await harness.minute()
    assert.equal(told().length, 1)
  })

  it('reads a search, stays silent with too few rows, and says of a rule that it cannot be read', async () => {
    const { shop, issueId, errors } = await setUp()
    const search = (text: string) => ({ source: 'errors' as const, measure: 'count()', search: text })
    await harness.metricRule(shop.id, errors({ metric: search('environment:staging'), trigger: 2 }))
    await harness.metricRule(shop.id, errors({ trigger: 2, minSample: 100 }))
    const broken = await harness.metricRule(shop.id, errors({ metric: search('timesSeen:>1') }))
    await harness.events(shop.id, issueId, 3, { environment: 'staging' })
    await harness.events(shop.id, issueId, 3)
    harness.at(startMs + MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(told(), ['metric: Rule: Error events is 3'])
    const state = harness.records
      .selectFrom('alert_rule_state')
      .select('trouble')
      .where('rule_id', '=', broken)
    assert.match((await state.executeTakeFirstOrThrow()).trouble, /is a field of issues/)
  })

  it('a rule that cannot be read keeps no other from firing', async () => {
    const { shop, issueId, errors } = await setUp()
    const broken = await harness.metricRule(shop.id, errors({ trigger: 2 }))
    await harness.records.updateTable('alert_rule').set({ value: '{}' }).where('id', '=', broken).execute()
    await harness.metricRule(shop.id, errors({ trigger: 2 }))
    await harness.events(shop.id, issueId, 3)
    harness.at(startMs + MINUTE_MS + 6_000)
    await harness.minute()
    assert.equal(told().length, 1)
    const states = harness.records.selectFrom('alert_rule_state').select('trouble').orderBy('rule_id')
    assert.deepEqual(
      (await states.where('rule_id', '>=', broken).execute()).map(({ trouble }) => trouble !== ''),
      [true, false],
    )
  })

  it('compares with the same window a week before', async () => {
    const { shop, issueId, errors } = await setUp()
    harness.at(startMs)
    await harness.events(shop.id, issueId, 4)
    harness.at(startMs + WEEK_MS)
    await harness.metricRule(shop.id, errors({ compare: 'change', trigger: 100 }))
    await harness.events(shop.id, issueId, 12)
    harness.at(startMs + WEEK_MS + MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(told(), ['metric: Rule: Error events is 200 %'])
    startMs += WEEK_MS
  })

  it('a prefetch storm is told, as pages report it and as servers see it', async () => {
    const { shop, errors } = await setUp()
    const watch = (measure: string, trigger: number) =>
      harness.metricRule(
        shop.id,
        errors({ metric: { source: 'prefetches', measure, search: '' }, trigger, windowMinutes: 5 }),
      )
    await watch('per_minute()', 100)
    await watch('server_share()', 0.5)
    const atMs = startMs + 3 * MINUTE_MS
    const hex = (number: number, length: number) => number.toString(16).padStart(length, '0')
    const common = (itemIndex: number) => ({
      projectId: shop.id,
      receivedMs: atMs,
      logPosition: 1,
      itemIndex,
      release: 'shop@1',
      environment: 'production',
      platform: 'javascript',
      sdkName: '',
      sdkVersion: '',
      userKey: '',
      browser: '',
      os: '',
      device: '',
      country: '',
      connection: '',
      sampleRate: 1,
      traceId: hex(itemIndex, 32),
    })
    // Two tabs that fetch everything again and again, told at every 50.
    const reports = Array.from({ length: 12 }, (_, index) =>
      encodePrefetchRow({
        ...common(index),
        prefetchId: hex(index, 16),
        timestampMs: atMs,
        route: '/offers/[id]',
        router: 'browser',
        issued: 50,
        used: 0,
        late: 0,
        stale: 0,
        wasted: 50,
        savedMs: 0,
        requests: 50,
        bytes: 1,
        wastedBytes: 1,
      }),
    )
    const requests = Array.from({ length: 10 }, (_, index) =>
      encodeSpanRow({
        ...common(index),
        isSegment: true,
        op: 'http.server',
        segmentName: 'GET /offers/:id',
        startMs: atMs,
        durationMs: 1,
        spanId: hex(index, 16),
        parentSpanId: '',
        segmentId: '',
        name: 'GET /offers/:id',
        status: 'ok',
        origin: 'auto',
        attributes: index < 6 ? { 'http.request.header.sec_purpose': 'prefetch' } : {},
      }),
    )
    await harness.deps.telemetry.insert('prefetches', reports, 'storm-prefetches')
    await harness.deps.telemetry.insert('spans', requests, 'storm-spans')
    harness.at(startMs + 5 * MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(told().toSorted(), [
      'metric: Rule: Prefetches per minute is 120',
      'metric: Rule: Share of server requests that were prefetches is 60 %',
    ])
    harness.at(startMs + 12 * MINUTE_MS + 6_000)
    await harness.minute()
    assert.equal(told().filter((text) => text.startsWith('resolved: Rule: Prefetches per minute')).length, 1)
  })

  it('an issue above a number is told, and is over when it is below', async () => {
    const { shop, actions, issueId } = await setUp()
    await harness.rule(shop.id, {
      triggers: [{ type: 'events', count: 5, minutes: 2 }],
      actions,
      coolDownMinutes: 0,
    })
    const quiet = await harness.issue(shop.id, { title: 'quiet', receivedMs: NOW_MS, timestampMs: NOW_MS })
    await harness.events(shop.id, issueId, 6)
    await harness.events(shop.id, quiet.id, 5)
    harness.at(startMs + MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(
      harness.receiver.received.map((request) => dataOf(request).facts[2]),
      [['Events', '6 in 2 min']],
    )
    harness.at(startMs + 4 * MINUTE_MS)
    await harness.minute()
    assert.deepEqual(
      told().map((text) => text.split(':')[0]),
      ['events', 'resolved'],
    )
  })

  it('an issue escalates against its own usual rate, not by its number alone', async () => {
    const { shop, actions, issueId } = await setUp()
    const usual = await harness.issue(shop.id, { title: 'usual', receivedMs: NOW_MS, timestampMs: NOW_MS })
    // 20 an hour, all week.
    for (let day = 1; day <= 7; day++) {
      harness.at(startMs + WEEK_MS - day * 24 * HOUR_MS)
      await harness.events(shop.id, usual.id, 480)
    }
    harness.at(startMs + WEEK_MS)
    await harness.rule(shop.id, { triggers: [{ type: 'escalating', count: 10, minutes: 60 }], actions })
    await harness.events(shop.id, usual.id, 40)
    await harness.events(shop.id, issueId, 40)
    harness.at(startMs + WEEK_MS + MINUTE_MS + 6_000)
    await harness.minute()
    assert.deepEqual(
      harness.receiver.received.map((request) => dataOf(request).issue?.id),
      [issueId],
    )
    startMs += WEEK_MS
  })
})
