import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  vitalBreakdown,
  vitalCauses,
  vitalChanges,
  vitalHistogram,
  vitalOverview,
  vitalParts,
  vitalSamples,
  vitalTrend,
} from '@sonde/queries'
import type { VitalFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'
import { vitalRows, WINDOW } from './vital-rows.ts'

/** As the definition has it: the smallest value that three of four are at or below, give or take 16-bit floats. */
function assertP75(actual: number | undefined, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b)
  const exact = sorted[Math.ceil(0.75 * sorted.length) - 1] ?? NaN
  const next = sorted[Math.ceil(0.75 * sorted.length)] ?? exact
  const [low, high] = [exact * 0.995, next * 1.005]
  assert.ok(actual !== undefined && actual >= low && actual <= high, `${actual} is not in ${low}–${high}`)
}

describe('questions about web vitals', () => {
  let harness: Harness
  let shop: ProjectGrant
  let rival: ProjectGrant
  let insert: ReturnType<typeof vitalRows>
  const add = (release: string, rows: readonly Partial<VitalFields>[]) =>
    insert(
      shop.projectId,
      rows.map((row) => ({ release, ...row })),
    )
  const only = (release: string) => ({ ...WINDOW, release: [release] })

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    rival = await harness.project(await harness.org('rival'), 'secret')
    insert = vitalRows(harness)
    await insert(rival.projectId, [{ value: 59_000, element: 'secret', release: 'secret@1' }])
  })
  after(() => harness.close())

  it('the overview has each vital that anyone told, of all routes or of one', async () => {
    const values = Array.from({ length: 80 }, (_, n) => (n + 1) * 50)
    await add('overview', [
      ...values.map((value) => ({ value })),
      { name: 'inp', value: 300, route: '/', timestampMs: NOW_MS - 5 * MINUTE_MS },
      { name: 'inp', value: 600, route: '/cart', sampleRate: 0.25 },
    ])
    const [lcp, inp, ...others] = await vitalOverview(harness.deps, shop, only('overview'))
    assertP75(lcp?.p75, values)
    assert.deepEqual(
      [lcp?.name, lcp?.samples, lcp?.good, lcp?.needsImprovement, lcp?.poor],
      ['lcp', 80, 50, 30, 0],
    )
    assert.deepEqual(
      [inp?.name, inp?.samples, inp?.count, inp?.poor, inp?.firstMs, others],
      ['inp', 2, 5, 4, NOW_MS - 5 * MINUTE_MS, []],
    )
    const home = await vitalOverview(harness.deps, shop, { ...only('overview'), route: '/' })
    assert.deepEqual(
      home.map(({ name, count }) => [name, count]),
      [['inp', 1]],
    )
  })

  it('a histogram puts a value on a threshold on its better side, and loses none', async () => {
    const values = [0, 50, 51, 2500, 2500.5, 4000, 4001, 8000, 8001, 60_000]
    await add('histogram', [...values.map((value) => ({ value })), { value: 100, sampleRate: 0.5 }])
    const { bins, beyond, width } = await vitalHistogram(harness.deps, shop, {
      ...only('histogram'),
      name: 'lcp',
    })
    const filled = bins.flatMap((visits, bin) => (visits === 0 ? [] : [[bin * width, visits]]))
    assert.deepEqual(filled, [
      [0, 2],
      [50, 3],
      [2450, 1],
      [2500, 1],
      [3950, 1],
      [4000, 1],
      [7950, 1],
    ])
    assert.equal(beyond, 2)
  })

  it('a shift of exactly 0.1 is good in the histogram too', async () => {
    const shifts = [0, 0.07, 0.1, 0.1001, 0.25, 0.2501]
    await add(
      'shifts',
      shifts.map((value) => ({ name: 'cls', value })),
    )
    const { bins } = await vitalHistogram(harness.deps, shop, { ...only('shifts'), name: 'cls' })
    const upTo = (value: number) =>
      bins.slice(0, Math.round(value / 0.005)).reduce((sum, visits) => sum + visits, 0)
    assert.deepEqual([upTo(0.1), upTo(0.25), upTo(0.5)], [3, 5, 6])
  })

  it('a trend has the percentile of each span of time, gaps where nobody was, and the releases that began', async () => {
    const at = (minutesAgo: number, value: number, release: string) => ({
      value,
      release,
      environment: 'trend',
      timestampMs: NOW_MS - minutesAgo * MINUTE_MS,
    })
    const early = Array.from({ length: 40 }, (_, n) => 1000 + n * 10)
    await insert(shop.projectId, [
      ...early.map((value) => at(25, value, 'trend@1')),
      at(5, 3000, 'trend@2'),
      at(4, 2000, 'trend@2'),
      at(90, 1, 'trend@0'),
      at(3, 1, 'trend@0'),
    ])
    const { points, markers, stepMs } = await vitalTrend(harness.deps, shop, {
      fromMs: NOW_MS - 30 * MINUTE_MS,
      toMs: NOW_MS,
      environment: ['trend'],
      name: 'lcp',
      buckets: 3,
    })
    assert.equal(stepMs, 10 * MINUTE_MS)
    assertP75(points[0]?.p75, early)
    assert.deepEqual([points[0]?.samples, points[0]?.good], [40, 40])
    assert.equal(points[1], undefined)
    assert.deepEqual([points[2]?.count, points[2]?.good], [3, 2])
    assert.deepEqual(
      markers.map(({ release }) => release),
      ['trend@1', 'trend@2'],
    )
  })

  it('a change is told against the window before, and of too few visits not', async () => {
    const at = (windowsAgo: number, name: string, values: readonly number[]) =>
      values.map((value) => ({
        name,
        value,
        timestampMs: NOW_MS - MINUTE_MS - windowsAgo * 60 * MINUTE_MS,
        receivedMs: NOW_MS - MINUTE_MS,
      }))
    const times = Array.from({ length: 400 }, (_, n) => 1000 + n * 5)
    await add('changes', [
      ...at(
        0,
        'lcp',
        times.map((ms) => ms * 1.2),
      ),
      ...at(1, 'lcp', times),
      ...at(
        2,
        'lcp',
        times.map((ms) => ms * 9),
      ),
      ...at(0, 'inp', times),
      ...at(1, 'inp', times.slice(0, 12)),
      ...at(0, 'cls', [0.1]),
    ])
    const [lcp, inp, ...others] = await vitalChanges(harness.deps, shop, only('changes'))
    assert.deepEqual([lcp?.name, lcp?.samples], ['lcp', [400, 400]])
    assert.ok(lcp?.change.kind === 'known')
    const { by, low, high } = lcp.change
    assert.ok(
      Math.abs(by - 0.2) < 0.01 && low > 0.1 && low < 0.2 && high > 0.2 && high < 0.3,
      `${low} ${by} ${high}`,
    )
    assert.deepEqual([inp?.change, inp?.samples, others], [{ kind: 'few' }, [400, 12], []])
  })

  it('a change of few people with many visits is less sure than one of many people', async () => {
    const width = async (release: string, people: number): Promise<number> => {
      // Each person has a time of their own.
      const visit = (n: number, minutesAgo: number) => ({
        value: 1000 + (n % people) * (2000 / people) + (n % 7),
        userKey: `id:${n % people}`,
        timestampMs: NOW_MS - minutesAgo * MINUTE_MS,
      })
      await add(release, [
        ...Array.from({ length: 1000 }, (_, n) => visit(n, 1)),
        ...Array.from({ length: 1000 }, (_, n) => visit(n, 70)),
      ])
      const [lcp] = await vitalChanges(harness.deps, shop, only(release))
      return lcp?.change.kind === 'known' ? lcp.change.high - lcp.change.low : Infinity
    }
    const [few, many] = [await width('few people', 50), await width('many people', 1000)]
    assert.ok(few > 2 * many, `${few} and ${many}`)
    assert.equal(await width('ten people', 10), Infinity)
  })

  it('elements and scripts are told by how many visits they cost', async () => {
    const visits = (count: number, row: Partial<VitalFields>) => Array.from({ length: count }, () => row)
    const script = { name: 'inp', source: '/cart.js', element: '#buy' }
    await add('causes', [
      ...visits(1, { name: 'inp', element: '#rare', value: 5000 }),
      ...visits(5, { ...script, value: 400, attribution: { 'code.function': 'recount' } }),
      ...visits(2, { ...script, value: 450, attribution: { 'browser.script.invoker': 'DIV.onclick' } }),
      ...visits(9, { name: 'inp', element: '#fast', value: 20 }),
      ...visits(3, { name: 'inp', value: 900 }),
    ])
    const { elements, sources } = await vitalCauses(harness.deps, shop, { ...only('causes'), name: 'inp' })
    assert.deepEqual(
      elements.map(({ element, count, bad }) => [element, count, bad]),
      [
        ['#buy', 7, 7],
        ['#rare', 1, 1],
        ['#fast', 9, 0],
      ],
    )
    assert.deepEqual(
      sources.map(({ source, functionName, invoker, count }) => [source, functionName, invoker, count]),
      [
        ['/cart.js', 'recount', '', 5],
        ['/cart.js', '', 'DIV.onclick', 2],
      ],
    )
  })

  it('parts are those of visits as slow as the 75th percentile, and add up to them', async () => {
    const prefix = 'browser.web_vital.inp.'
    const values = Array.from({ length: 100 }, (_, n) => n + 1)
    await add(
      'parts',
      values.map((value) => ({
        name: 'inp',
        value,
        attribution: {
          [`${prefix}input_delay`]: value / 2,
          [`${prefix}processing_duration`]: value / 2 - 3,
          [`${prefix}presentation_delay`]: 3,
        },
      })),
    )
    await add('parts', [{ name: 'inp', value: 75 }])
    const input = { ...only('parts'), name: 'inp' } as const
    const told = await vitalParts(harness.deps, shop, input)
    const near = values.filter((value) => value >= 65 && value <= 85)
    const meanMs = near.reduce((sum, value) => sum + value, 0) / near.length
    assert.deepEqual([told?.reportedBy, told?.samples], [100, near.length])
    assert.deepEqual(
      told?.parts.map(({ ms }) => ms),
      [meanMs / 2, meanMs / 2 - 3, 3],
    )
    assert.equal(await vitalParts(harness.deps, shop, { ...input, name: 'cls' }), undefined)
    assert.equal(await vitalParts(harness.deps, shop, { ...only('overview'), name: 'inp' }), undefined)
  })

  it('the breakdown has each column by itself, with those who did not say', async () => {
    const slow = Array.from({ length: 30 }, (_, n) => ({ value: 3000 + n, device: 'mobile', country: '' }))
    const fast = Array.from({ length: 10 }, (_, n) => ({ value: 500 + n, browser: 'Firefox' }))
    await add('breakdown', [...slow, ...fast])
    const { device, browser, country, release } = await vitalBreakdown(harness.deps, shop, {
      ...only('breakdown'),
      name: 'lcp',
    })
    const figures = (rows: typeof device) => rows.map(({ value, count, good }) => [value, count, good])
    assert.deepEqual(figures(device), [
      ['mobile', 30, 0],
      ['desktop', 10, 10],
    ])
    assert.deepEqual(figures(browser), [
      ['Chrome', 30, 0],
      ['Firefox', 10, 10],
    ])
    assert.deepEqual(figures(country), [
      ['', 30, 0],
      ['DE', 10, 10],
    ])
    assert.deepEqual(figures(release), [['breakdown', 40, 10]])
    assertP75(
      device[0]?.p75,
      slow.map(({ value }) => value),
    )
  })

  it('samples are the slowest, or stand at their percentiles', async () => {
    const values = Array.from({ length: 200 }, (_, n) => n + 1)
    await add(
      'samples',
      values.map((value) => ({ value, traceId: value.toString(16).padStart(32, '0') })),
    )
    const input = { ...only('samples'), name: 'lcp' } as const
    const slowest = await vitalSamples(harness.deps, shop, { ...input, set: 'slowest' })
    assert.deepEqual(
      slowest.map(({ value }) => value),
      values.slice(-12).toReversed(),
    )
    assert.equal(slowest[0]?.traceId, (200).toString(16).padStart(32, '0'))
    const typical = await vitalSamples(harness.deps, shop, { ...input, set: 'typical' })
    assert.equal(typical.length, 12)
    for (const { percentile = 0, value } of typical) assert.ok(Math.abs(value - percentile * 2) <= 1)
    await add('alone', [{ value: 7 }])
    const alone = await vitalSamples(harness.deps, shop, { ...only('alone'), name: 'lcp', set: 'typical' })
    assert.deepEqual(
      alone.map(({ value, percentile }) => [value, percentile]),
      [[7, 75]],
    )
  })

  it('of nothing there is nothing', async () => {
    const input = { ...only('nothing'), name: 'lcp' } as const
    assert.deepEqual(await vitalOverview(harness.deps, shop, input), [])
    const far = { fromMs: Date.UTC(9000, 0), toMs: Date.UTC(9999, 0) }
    assert.deepEqual(await vitalChanges(harness.deps, shop, far), [])
    assert.deepEqual(await vitalSamples(harness.deps, shop, { ...input, set: 'typical' }), [])
    assert.deepEqual(await vitalCauses(harness.deps, shop, input), { elements: [], sources: [] })
    assert.equal(
      (await vitalHistogram(harness.deps, shop, input)).bins.some((visits) => visits > 0),
      false,
    )
    assert.equal(await vitalParts(harness.deps, shop, input), undefined)
  })
})
