import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NavigationTotals, RoutePair } from '@sonde/queries'
import {
  deploymentSentence,
  keepFor,
  keepText,
  outcomesText,
} from '../../src/parts/deployments/deployment-text.ts'
import { openTabsText } from '../../src/routes/[org]/[project]/navigations/deployments-section.tsx'
import {
  navigationPlace,
  orderPairs,
  placeSearch,
} from '../../src/routes/[org]/[project]/navigations/navigation-address.ts'
import {
  buildMarkers,
  longerOfLoads,
  phaseParts,
  phasesText,
  summaryFigures,
  timesTrend,
  failureTrend,
  waitOf,
} from '../../src/routes/[org]/[project]/navigations/navigation-figures.ts'
import {
  explainHardNavigation,
  KNOWN_REASONS,
  describeNavigation,
} from '../../src/routes/[org]/[project]/navigations/navigation-words.ts'
import {
  kindsText,
  releasesText,
  describeStaleBuild,
} from '../../src/routes/[org]/[project]/navigations/old-build-cards.tsx'
import {
  prefetchCost,
  prefetchGain,
  prefetchSaving,
  prefetchVerdict,
  stormStart,
} from '../../src/routes/[org]/[project]/navigations/prefetch-words.ts'

const totals = (more: Partial<NavigationTotals>): NavigationTotals => ({
  count: 0,
  samples: 0,
  waitedFor: 0,
  committed: 0,
  errored: 0,
  hung: 0,
  left: 0,
  fullLoads: 0,
  redirected: 0,
  superseded: 0,
  unknown: 0,
  users: 0,
  troubledUsers: 0,
  p50: undefined,
  p75: undefined,
  p95: undefined,
  meanPhases: {},
  ...more,
})

describe('the figures on top', () => {
  it('are shares of what was waited for, beside those of the period before', () => {
    const total = totals({
      count: 120,
      waitedFor: 100,
      committed: 94,
      hung: 2,
      left: 3,
      fullLoads: 1,
      p75: 320,
    })
    const before = totals({ count: 60, waitedFor: 50, committed: 50, p75: 200 })
    const figures = summaryFigures(total, before, [{ seen: 4, count: 9, usersWhoSaw: 3 }])
    assert.deepEqual(
      figures.map(({ value, before: past, isBad }) => [value, past, isBad]),
      [
        ['94%', '100% before', false],
        ['320 ms', '200 ms before', false],
        ['2%', '0% before', true],
        ['3%', '0% before', true],
        ['1%', '0% before', true],
        ['4', undefined, true],
      ],
    )
    assert.match(figures[0]?.about ?? '', /Excludes 20 redirected/)
    const [shown] = summaryFigures({ ...total, unknown: 5 }, before, [])
    assert.equal(shown?.value, '94%', 'those of unknown end are in no share')
    assert.match(shown.about, /Excludes 15 redirected.* How 5 more ended is not known/)
  })

  it('are not compared with a period of a handful', () => {
    const [shown] = summaryFigures(totals({ waitedFor: 9, committed: 9 }), totals({ waitedFor: 19 }), [])
    assert.deepEqual([shown?.value, shown?.before], ['100%', undefined])
  })
})

describe('where the time goes', () => {
  it('is told in order, each part with its share of the wait, and what settles after it apart', () => {
    const parts = phaseParts({ settled: 90, paint: 20, data: 160, intent: 20 })
    assert.deepEqual(
      parts.map(({ name, share }) => [name, share]),
      [
        ['Input', '10%'],
        ['Data', '80%'],
        ['Paint', '10%'],
        ['Settling', ''],
      ],
    )
    assert.equal(phasesText(parts), 'Input 20 ms, Data 160 ms, Paint 20 ms; then settling 90 ms')
    assert.equal(phasesText(phaseParts({})), '')
  })

  it('of one navigation has the longer of data and code', () => {
    assert.deepEqual(longerOfLoads({ data: 50, chunk: 80, paint: 5 }), { paint: 5, chunk: 80 })
    assert.deepEqual(longerOfLoads({ data: 80, chunk: 50 }), { data: 80 })
    assert.deepEqual(longerOfLoads({}), {})
    assert.equal(waitOf({ data: 50, settled: 900 }), 50)
  })

  it('over time has gaps where nothing was shown, and each build once', () => {
    const point = (count: number, p75?: number) => ({
      count,
      known: count,
      troubled: count / 2,
      p50: p75,
      p75,
      p95: p75,
    })
    const trend = {
      interval: '1h' as const,
      stepMs: 10,
      fromMs: 0,
      toMs: 30,
      startsMs: [0, 10, 20],
      points: [point(4, 300), point(0), point(2)],
    }
    const build = (name: string, firstMs: number, environment: string) => ({
      build: name,
      firstMs,
      lastMs: 30,
      servedMs: firstMs,
      cameMs: [firstMs],
      tellsTabs: true,
      environment,
    })
    const builds = [build('b', 25, 'live'), build('b', 21, 'staging'), build('a', -5, 'live')]
    const markers = buildMarkers(builds, trend)
    const times = timesTrend(trend, markers)
    assert.deepEqual(times.lines[1]?.values, [300, null, null])
    assert.deepEqual(times.markers, [{ release: 'b', atMs: 21 }])
    assert.deepEqual([times.counts, times.total], [[4, 0, 2], 6])
    assert.deepEqual(failureTrend(trend, markers).lines[0]?.values, [0.5, null, 0.5])
  })
})

describe('what a deployment left behind', () => {
  const HOUR_MS = 3_600_000
  const keep = {
    environment: '',
    tabs: 1240,
    deployments: 8,
    open: 3,
    longestMs: 90 * HOUR_MS,
    p99: { ms: 25.2 * HOUR_MS, lowMs: 21 * HOUR_MS, highMs: 31 * HOUR_MS },
  }
  const left = { leftTabs: 412, missedTabs: 37, outcomes: { recovered: 5, reloaded: 30, stuck: 2 } }

  it('is one sentence: who was on the old build, who missed code, who came through', () => {
    assert.equal(
      deploymentSentence(left, keep),
      '412 tabs on the old build, 37 hit missing chunks: 35 recovered (30 by a reload), 2 stuck; keep old files for at least 26 h',
    )
    assert.equal(
      deploymentSentence({ leftTabs: 1, missedTabs: 0, outcomes: {} }, { ...keep, p99: undefined }),
      '1 tab on the old build, none hit missing chunks',
    )
    // Pages that do not tell they are open: more failed than were seen.
    assert.match(deploymentSentence({ ...left, leftTabs: 0 }, undefined), /^at least 37 tabs/)
  })

  it('came through by a reload, or not', () => {
    assert.equal(
      outcomesText({ reloaded: 4, looped: 1, unknown: 2 }),
      '4 recovered (by a reload), 1 in a reload loop, 2 unknown',
    )
    assert.equal(outcomesText({ recovered: 2 }), '2 recovered')
    assert.equal(outcomesText({}), '')
  })

  it('says for how long old files are needed, how sure that is, and what speaks against it', () => {
    assert.deepEqual(keepText({ ...keep, open: 12 }, 100), {
      advice: 'Keep old files for at least 26 h.',
      basis:
        '99% of 1.2k tabs over 8 deployments were last seen within that time after the next build came (95% interval 21 h to 31 h).',
    })
    const growing = keepText({ ...keep, open: 62, p99: { ...keep.p99, highMs: undefined } }, 100)
    assert.match(growing.advice, /at least 26 h so far/)
    assert.match(growing.basis, /without an upper end\)\. 62 of them are still open/)
    const few = keepText({ ...keep, tabs: 37, deployments: 1, p99: undefined, longestMs: 2 * HOUR_MS }, 100)
    assert.match(few.advice, /^Not enough data/)
    assert.equal(
      few.basis,
      '37 tabs over 1 deployment were seen on an old build, for up to 2 h; 100 are needed.',
    )
    assert.deepEqual([keepFor(1), keepFor(59.5 * 60_000), keepFor(HOUR_MS + 1)], ['1 min', '60 min', '2 h'])
  })

  it('is counted now, in the environment with the most tabs', () => {
    const build = (name: string, tabs: number | undefined, environment = 'live', next?: string) => ({
      build: name,
      environment,
      firstMs: 0,
      lastMs: 1,
      servedMs: 0,
      cameMs: [0],
      tellsTabs: true,
      replacedBy: next === undefined ? undefined : { build: next, servedMs: 1 },
      open: tabs === undefined ? undefined : { tabs, source: 'beats' as const },
      ...left,
    })
    const old = [build('b', 375), build('a', 30, 'live', 'b'), build('0', 7, 'live', 'a')]
    assert.equal(openTabsText(old), '375 open tabs on b, 37 on older builds')
    assert.equal(
      openTabsText([...old, build('b', 1, 'staging')]),
      '375 open tabs on b, 37 on older builds in live',
    )
    assert.equal(
      openTabsText([build('b', undefined), build('a', 1, 'live', 'b')]),
      '0 open tabs on b, 1 on older builds',
    )
    assert.equal(openTabsText([build('b', undefined)]), '')
  })
})

describe('tabs that could not load code', () => {
  const told = { build: 'shop@1', tabs: 37, kinds: { old_build: 50, blocked: 3 }, replacedBy: undefined }

  it('are described with the deployment that left them behind', () => {
    const { headline, todo } = describeStaleBuild({ ...told, replacedBy: { build: 'shop@2', servedMs: 0 } })
    assert.equal(headline, '37 tabs on shop@1 could not load code after shop@2 was deployed')
    assert.ok(todo.length > 0)
    assert.match(
      describeStaleBuild(told).headline,
      /^37 tabs on shop@1 could not load code that a deploy removed/,
    )
    assert.equal(kindsText(told.kinds), '50 removed by the deploy, 3 blocked')
  })

  it('name the release that had a file, and since which it is gone', () => {
    const file = { release: 'shop@1.4.1', since: 'shop@1.4.1', removedIn: 'shop@1.4.2' }
    assert.equal(releasesText(file), 'belongs to shop@1.4.1, removed since shop@1.4.2')
    assert.equal(
      releasesText({ ...file, since: 'shop@1.3.0', removedIn: undefined }),
      'belongs to shop@1.3.0 until shop@1.4.1, the newest with uploaded files',
    )
  })

  it('are told by their cause where no deployment is to blame', () => {
    const { headline, why } = describeStaleBuild({ ...told, tabs: 1, kinds: { blocked: 3, offline: 1 } })
    assert.equal(headline, '1 tab on shop@1 could not load code')
    assert.match(why, /blocker/)
    assert.match(describeStaleBuild({ ...told, build: '', kinds: {} }).headline, /an unknown build/)
  })
})

it('every reason of a full load says what it is and what to do', () => {
  assert.ok(KNOWN_REASONS.includes('timeout') && KNOWN_REASONS.includes('build'))
  for (const reason of [...KNOWN_REASONS, '', 'toString', 'my own'])
    for (const text of Object.values(explainHardNavigation(reason)))
      assert.ok(text.length > 5, `${reason}: ${text}`)
  assert.equal(explainHardNavigation('my own').title, 'my own')
})

const sureOf = (share: number) =>
  ({ kind: 'known', share: { value: share, low: share - 0.01, high: share + 0.01 } }) as const

it('fetching ahead is judged by what was needed, late and old, once there is enough to judge', () => {
  const counts = (used: number, late: number, stale: number, wasted: number) => ({
    issued: used + late + stale + wasted,
    used,
    late,
    stale,
    wasted,
    waste: sureOf(wasted / (used + late + stale + wasted)),
  })
  const start = (...given: Parameters<typeof counts>): string =>
    prefetchVerdict(counts(...given)).split(/[ ,:;]/)[0] ?? ''
  assert.deepEqual(
    [
      start(2, 0, 0, 98),
      start(10, 0, 40, 10),
      start(10, 40, 0, 10),
      start(40, 0, 0, 60),
      start(60, 0, 0, 40),
    ],
    ['Mostly', 'Goes', 'Too', 'Partly', 'Worth'],
  )
  const few = (prefetches: number, pages: number) =>
    prefetchVerdict({ ...counts(1, 0, 0, 9), waste: { kind: 'few', prefetches, pages } })
  assert.equal(few(90, 29), 'Not enough data: needs 90 more prefetches and 29 more page views')
  assert.equal(few(0, 1), 'Not enough data: needs 1 more page view')
  const both = { usedP75: 80, noneP75: 400, usedSamples: 30, noneSamples: 30 }
  assert.equal(prefetchGain(both), 320)
  assert.equal(prefetchGain({ ...both, noneSamples: 3 }), undefined)
})

it('what prefetching on hover saves in a day is told with its interval where surely most is unused', () => {
  const waste = { kind: 'known', share: { value: 0.97, low: 0.95, high: 0.98 } } as const
  const row = { issued: 1000, requests: 1280, wastedBytes: 38_000_000, waste }
  const day = 86_400_000
  assert.equal(
    prefetchSaving(row, day),
    'saves up to 1,242 requests (1,216 to 1,254) and 38.0 MB a day; unused: 97%, 95% interval 95% to 98%',
  )
  assert.match(prefetchSaving(row, 2 * day), /621 requests \(608 to 627\) and 19\.0 MB a day/)
  assert.match(
    prefetchSaving({ ...row, requests: undefined, wastedBytes: undefined }, day),
    /970 requests \(950 to 980\) a day/,
  )
  assert.equal(prefetchSaving({ ...row, waste: sureOf(0.7) }, day), '')
  const unsure = { kind: 'known', share: { value: 0.9, low: 0.4, high: 0.97 } } as const
  assert.equal(prefetchSaving({ ...row, waste: unsure }, day), '', 'it may be less than half')
  assert.equal(prefetchSaving({ ...row, waste: { kind: 'few', prefetches: 1, pages: 0 } }, day), '')
  assert.equal(prefetchSaving(row, 60_000), '', 'minutes say nothing of a day')
})

it('what a route costs is told of the servers that name it in their own way', () => {
  const row = { route: '/orders/[id]', issued: 100, wasted: 91 }
  const of = (...names: string[]) => ({
    requests: 1000,
    prefetches: 400,
    routes: names.map((route) => ({ route, requests: 300, prefetches: 190 })),
    others: [],
  })
  for (const name of ['GET /orders/:id', '/orders/{order_id}', 'GET /orders/<int:pk>/', '/orders/[id]'])
    assert.equal(prefetchCost(row, of(name)), '91% unused, 19% of server requests')
  assert.equal(
    prefetchCost(row, of('GET /orders/:id', 'HEAD /orders/:id')),
    '91% unused, 38% of server requests',
  )
  assert.equal(prefetchCost(row, of('GET /orders/:id/items', 'GET /:page')), '91% unused')
  assert.equal(prefetchCost({ ...row, route: '/' }, of('GET /')), '91% unused, 19% of server requests')
  assert.equal(prefetchCost(row, undefined), '91% unused')
})

it('a storm is five times what is usual, and where pages tell nothing the share of what servers get', () => {
  const hour = 3_600_000
  assert.deepEqual(stormStart([{ issued: 9_000 }, { issued: 3_000 }], hour), {
    name: 'Prefetch storm',
    metric: 'prefetches|per_minute()',
    trigger: '1000',
  })
  assert.equal(stormStart([{ issued: 60 }], hour).trigger, '100')
  assert.deepEqual(stormStart([], hour), {
    name: 'Prefetch storm',
    metric: 'prefetches|server_share()',
    trigger: '50',
  })
})

it('pairs are ordered by what is asked for, those without a value last', () => {
  const pair = (to: string, count: number, p75: number | undefined, left = 0): RoutePair => ({
    from: '/',
    to,
    count,
    samples: count,
    p50: p75,
    p75,
    p95: p75,
    outcomes: { left },
    prefetch: {},
    phases: {},
    meanPhases: {},
  })
  const pairs = [pair('a', 100, 50, 10), pair('b', 50, undefined, 25), pair('c', 10, 900)]
  const order = (sort: 'count' | 'p75' | 'trouble'): string =>
    orderPairs(pairs, sort)
      .map(({ to }) => to)
      .join('')
  assert.deepEqual([order('count'), order('p75'), order('trouble')], ['abc', 'cab', 'bac'])
  const half = { ...pair('d', 30, 9, 10), outcomes: { left: 10, unknown: 15 } }
  const [worst] = orderPairs([...pairs, half], 'trouble')
  assert.equal(worst, half, '10 of the 15 whose end is known are more than 25 of 50')
})

it('the address says pair, navigation and order, and keeps what else it says', () => {
  const params = new URLSearchParams('statsPeriod=24h&from=%2F&to=&sort=nonsense')
  assert.deepEqual(navigationPlace(params), {
    from: '/',
    to: undefined,
    navigation: undefined,
    sort: 'count',
  })
  assert.equal(
    placeSearch(params, { from: undefined, to: '/a b', sort: 'p95' }),
    '?statsPeriod=24h&to=%2Fa+b&sort=p95',
  )
})

it('one navigation is told in a sentence, whatever became of it', () => {
  const told = {
    outcome: 'committed',
    reason: '',
    visibleAfterMs: 320,
    durationMs: 350,
    waitingFor: '',
    router: 'history',
  }
  assert.equal(describeNavigation(told), 'Visible after 320 ms.')
  const pending = {
    ...told,
    outcome: 'pending',
    visibleAfterMs: undefined,
    durationMs: 5000,
    waitingFor: '/api/x',
  }
  assert.match(describeNavigation(pending), /^Still pending after 5 s, waiting for \/api\/x\./)
  assert.match(
    describeNavigation({ ...told, outcome: 'full_load', reason: 'timeout' }),
    /data request timed out/,
  )
  assert.match(
    describeNavigation({ ...told, outcome: 'errored', reason: 'http_404' }),
    /^Error page after 320 ms \(http_404\)/,
  )
  assert.match(describeNavigation({ ...told, outcome: 'constructor' }), /^Unknown outcome/)
  assert.match(describeNavigation({ ...told, outcome: 'unknown' }), /^How it ended is not known: .*320 ms/)
})
