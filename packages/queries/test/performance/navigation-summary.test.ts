import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hungNavigations, navigationBreakdown, navigationSummary, routeNavigations } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from './rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }
const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let shop: ProjectGrant
let rows: ReturnType<typeof performanceRows>

describe('navigation summary', () => {
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('says how many were shown, hung, were left and fell back, of those that were waited for', async () => {
    const only = { release: 'sum', userKey: 'id:1' }
    const own = (row: object) => ({ ...only, ...row })
    await rows.navigations(shop.projectId, [
      ...[100, 200, 300, 400].map((visibleAfterMs) => own({ visibleAfterMs, timestampMs: ago(50) })),
      own({ visibleAfterMs: 6000, durationMs: 6010, userKey: 'id:2' }),
      own({ outcome: 'pending', isFinal: false, durationMs: 5000, userKey: 'id:3' }),
      own({ outcome: 'timed_out', durationMs: 60_000, userKey: 'id:3' }),
      own({ outcome: 'left', isFinal: false, durationMs: 900, userKey: 'id:4' }),
      own({ outcome: 'left', isFinal: false, durationMs: 5600 }),
      own({ outcome: 'aborted', durationMs: 300, userKey: 'id:5' }),
      own({ outcome: 'aborted', reason: 'blocked', userKey: '' }),
      own({ outcome: 'full_load', reason: 'timeout' }),
      own({ outcome: 'errored', reason: 'http_404' }),
      own({ outcome: 'redirected', durationMs: 7000 }),
      own({ outcome: 'superseded', durationMs: 8000 }),
      own({ outcome: 'unknown', durationMs: 9000, userKey: 'id:6' }),
      { ...only, toRoute: '/other' },
      own({ visibleAfterMs: 50, timestampMs: ago(90) }),
    ])
    const input = { ...WINDOW, release: ['sum'], to: '/cart', buckets: 6 }
    const { total, before: past, trend } = await navigationSummary(harness.deps, shop, input)
    const { p50: _, p75, p95: __, meanPhases: ___, ...counts } = total
    assert.deepEqual(counts, {
      count: 16,
      samples: 16,
      waitedFor: 12,
      committed: 5,
      errored: 1,
      hung: 4,
      left: 3,
      fullLoads: 1,
      redirected: 1,
      superseded: 1,
      unknown: 1,
      users: 6,
      troubledUsers: 5,
    })
    assert.ok(Math.abs((p75 ?? 0) - 400) <= 2, `p75 is ${p75}, exactly it is 400`)
    assert.deepEqual([past?.count, past?.committed, past?.hung], [1, 1, 0])
    assert.equal(trend.interval, '10m')
    assert.deepEqual(
      trend.points.map(({ count, known, troubled }) => [count, known, troubled]),
      [
        [0, 0, 0],
        [4, 4, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [12, 11, 8],
      ],
    )
    assert.equal(trend.points[0]?.p75, undefined)
  })

  it('a period before in which nothing was told is none', async () => {
    await rows.navigations(shop.projectId, [{ release: 'new' }])
    const { before: past, total } = await navigationSummary(harness.deps, shop, {
      ...WINDOW,
      release: ['new'],
    })
    assert.deepEqual([past, total.count], [undefined, 1])
    const none = await navigationSummary(harness.deps, shop, { ...WINDOW, release: ['none'] })
    assert.deepEqual([none.total.count, none.total.p75, none.total.meanPhases], [0, undefined, {}])
  })

  it('the means of the phases add up: of data and code the longer one was waited for', async () => {
    await rows.navigations(shop.projectId, [
      { release: 'way', visibleAfterMs: 130, intentMs: 10, dataMs: 100, chunkMs: 40, paintMs: 20 },
      { release: 'way', visibleAfterMs: 110, intentMs: 30, dataMs: 20, chunkMs: 60, paintMs: 20 },
      { release: 'way', visibleAfterMs: 60, paintMs: 60, settledMs: 300 },
      { release: 'way', outcome: 'errored', dataMs: 90_000 },
    ])
    const { total } = await navigationSummary(harness.deps, shop, { ...WINDOW, release: ['way'] })
    const { intent = 0, data = 0, chunk = 0, paint = 0, settled = 0 } = total.meanPhases
    const thirds = [intent, data, chunk, paint, settled].map((mean) => Math.round(mean * 3))
    assert.deepEqual(thirds, [40, 100, 60, 100, 300])
    assert.equal(Math.round(intent + data + chunk + paint), (130 + 110 + 60) / 3)
    const [pair] = await routeNavigations(harness.deps, shop, { ...WINDOW, release: ['way'] })
    assert.deepEqual(pair?.meanPhases, total.meanPhases)
  })

  it('a sampled navigation counts for as many as it stands for', async () => {
    await rows.navigations(shop.projectId, [
      { release: 'some', sampleRate: 0.1, visibleAfterMs: 100 },
      { release: 'some', visibleAfterMs: 900, outcome: 'full_load' },
    ])
    const { total } = await navigationSummary(harness.deps, shop, { ...WINDOW, release: ['some'] })
    assert.deepEqual([total.count, total.samples, total.committed, total.fullLoads], [11, 2, 10, 1])
  })

  it('lists what hung and was left by pair and by what it waited for, with the latest of each', async () => {
    const own = { release: 'hung', toRoute: '/invoices', waitingFor: '/api/invoices' }
    await rows.navigations(shop.projectId, [
      { ...own, outcome: 'pending', isFinal: false, durationMs: 5000, timestampMs: ago(9), userKey: 'id:1' },
      { ...own, outcome: 'left', isFinal: false, durationMs: 8000, timestampMs: ago(8), userKey: 'id:2' },
      {
        ...own,
        outcome: 'committed',
        durationMs: 9000,
        timestampMs: ago(3),
        userKey: 'id:2',
        navigationId: hexId(0xaa),
        traceId: hexTrace(0xbb),
      },
      { ...own, durationMs: 900 },
      { ...own, outcome: 'left', isFinal: false, durationMs: 400, waitingFor: '' },
    ])
    const [first, second, ...others] = await hungNavigations(harness.deps, shop, {
      ...WINDOW,
      release: ['hung'],
    })
    assert.deepEqual(first, {
      from: '/',
      to: '/invoices',
      waitingFor: '/api/invoices',
      count: 3,
      hung: 3,
      left: 1,
      shownLate: 1,
      users: 2,
      medianMs: first?.medianMs,
      maxMs: 9000,
      lastMs: ago(3),
      navigationId: hexId(0xaa),
      traceId: hexTrace(0xbb),
    })
    assert.ok(Math.abs((first?.medianMs ?? 0) - 8000) <= 40, `the median is ${first?.medianMs}, exactly 8000`)
    assert.deepEqual([second?.count, second?.hung, second?.left, second?.waitingFor], [1, 0, 1, ''])
    assert.deepEqual(others, [])
  })

  it('tells a pair by what set it off and by what was fetched ahead', async () => {
    const own = (row: object) => ({ release: 'parts', ...row })
    await rows.navigations(shop.projectId, [
      own({ prefetch: 'used', visibleAfterMs: 100 }),
      own({ prefetch: 'used', visibleAfterMs: 100, trigger: 'back' }),
      own({ prefetch: 'none', visibleAfterMs: 800, outcome: 'errored' }),
      own({ prefetch: '', trigger: '' }),
    ])
    const { triggers, prefetch } = await navigationBreakdown(harness.deps, shop, {
      ...WINDOW,
      release: ['parts'],
    })
    assert.deepEqual(
      triggers.map(({ name, count }) => [name, count]),
      [
        ['click', 2],
        ['back', 1],
      ],
    )
    assert.deepEqual(
      prefetch.map(({ name, count, p75 }) => [name, count, p75 === undefined]),
      [
        ['used', 2, false],
        ['none', 1, true],
      ],
    )
  })
})
