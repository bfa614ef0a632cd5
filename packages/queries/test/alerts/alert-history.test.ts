/** What a rule would have seen in the past, in one statement, is what it would have been told window by window. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  busyIssues,
  busyIssuesOf,
  busyIssueSteps,
  isMetricFault,
  metricAnswers,
  metricSeries,
  metricValues,
  pastIssueChanges,
} from '@sonde/queries'
import { noteIssueChanges } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'

/** Of a fixed sequence, so that a failure is the same the next time. */
function numbers(): () => number {
  let state = 7
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}

describe('the past of alerts', () => {
  let harness: Harness
  let shop: ProjectGrant
  let other: ProjectGrant
  let ids: number[]
  const fromMs = NOW_MS - 120 * MINUTE_MS
  before(async () => {
    harness = await openHarness()
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    other = await harness.project(org, 'other')
    ids = await harness.issues(shop.projectId, [{}, {}])
    const random = numbers()
    for (const project of [shop, other])
      for (const [at, issueId] of ids.entries()) {
        const times = Array.from({ length: 300 }, () => Math.floor(NOW_MS - random() ** 2 * 170 * MINUTE_MS))
        await harness.events(
          project.projectId,
          issueId,
          times.map((ms) => ({
            timestampMs: ms - 1_000,
            receivedMs: ms,
            userKey: `id:${Math.floor(random() * 20)}`,
            environment: at === 0 ? 'production' : 'staging',
          })),
        )
        // Two hours on their way: of no alert.
        const late = { timestampMs: NOW_MS - 125 * MINUTE_MS, receivedMs: NOW_MS - 5 * MINUTE_MS }
        await harness.events(
          project.projectId,
          issueId,
          Array.from({ length: 500 }, () => late),
        )
      }
  })
  after(() => harness.close())

  const WINDOWS = [
    [1, 1],
    [5, 5],
    [30, 6],
  ] as const

  for (const [minutes, step] of WINDOWS)
    it(`windows of ${minutes} minutes, one each ${step}`, async () => {
      const [windowMs, stepMs] = [minutes * MINUTE_MS, step * MINUTE_MS]
      const ends = Array.from({ length: 21 }, (_, at) => fromMs + at * stepMs)
      for (const [measure, search] of [
        ['count()', 'environment:staging'],
        ['count_unique(user)', ''],
      ] as const) {
        const metric = { source: 'errors' as const, measure, search }
        const series = await metricSeries(harness.deps, {
          grant: shop,
          metric,
          fromMs,
          toMs: ends.at(-1) ?? 0,
          stepMs,
          windowMs,
        })
        const singly = await metricValues(
          harness.deps,
          ends.map((toMs) => ({ grant: shop, metric, fromMs: toMs - windowMs, toMs })),
        )
        assert.deepEqual(series, singly, `${measure} ${search}`)
      }
    })

  it('a window without rows has the value of none, whatever is computed', async () => {
    const windowMs = MINUTE_MS
    const early = { fromMs: fromMs - 90 * 86_400_000, toMs: fromMs - 90 * 86_400_000 }
    for (const [source, measure] of [
      ['errors', 'count()'],
      ['vitals', 'p75(lcp)'],
      ['navigations', 'failed()'],
      ['navigations', 'failure_rate()'],
      ['prefetches', 'wasted_share()'],
      ['spans', 'p95(span.duration)'],
      ['spans', 'failure_rate()'],
      ['outcomes', 'dropped(error)'],
      ['logs', 'count()'],
      ['profile_functions', 'p95(function.self_time)'],
      ['sessions', 'sum(session)'],
      ['sessions', 'crash_free_rate(session)'],
    ] as const) {
      const metric = { source, measure, search: '' }
      const series = await metricSeries(harness.deps, {
        grant: shop,
        metric,
        ...early,
        stepMs: windowMs,
        windowMs,
      })
      const single = await metricValues(harness.deps, [
        { grant: shop, metric, fromMs: early.fromMs - windowMs, toMs: early.toMs },
      ])
      assert.deepEqual(series, single, measure)
    }
  })

  it('many searches of many projects are few statements, and a fault is that of its own window', async () => {
    const window = { fromMs, toMs: NOW_MS }
    const searches = ['', 'environment:staging', 'timesSeen:>1', '"unknown"', 'user.id:3']
    const windows = [shop, other].flatMap((grant) =>
      Array.from({ length: 120 }, (_, at) => {
        const search = `${searches[at % searches.length] ?? ''} !release:none-${at}`
        return { ...window, grant, metric: { source: 'errors' as const, measure: 'count()', search } }
      }),
    )
    windows.push({ ...window, grant: shop, metric: { source: 'errors', measure: 'nothing()', search: '' } })
    let statements = 0
    const { telemetry } = harness.deps
    const counting = {
      ...harness.deps,
      telemetry: {
        ...telemetry,
        query: ((...input) => {
          statements++
          return telemetry.query(...input)
        }) as typeof telemetry.query,
      },
    }
    const answers = await metricAnswers(counting, windows)
    assert.ok(statements <= 4, `${statements} statements`)
    for (const [at, asked] of windows.entries()) {
      const single = await metricValues(harness.deps, [asked]).catch((error: unknown) => error)
      assert.deepEqual(answers[at], Array.isArray(single) ? single[0] : single)
    }
    assert.equal(answers.filter(isMetricFault).length, 49)
  })

  it('issues of several projects are counted in one statement, each above its own number', async () => {
    const window = { count: 'events' as const, search: '', fromMs, toMs: NOW_MS }
    const asked = [
      { ...window, grant: shop, above: 12 },
      { ...window, grant: other, above: 1_000_000 },
      { ...window, grant: other, above: 12 },
    ]
    const [first = [], none, second = []] = await busyIssuesOf(harness.deps, asked)
    assert.deepEqual(none, [])
    assert.deepEqual(
      [first, second],
      [await busyIssues(harness.deps, shop, asked[0]!), await busyIssues(harness.deps, other, asked[2]!)],
    )
    assert.ok(Array.isArray(first) && first.every(({ count }) => count < 400))
    assert.ok(Array.isArray(first) && first.length === 2 && Array.isArray(second) && second.length === 2)
  })

  for (const count of ['events', 'users', 'escalating'] as const)
    it(`busy issues by ${count}`, async () => {
      const [windowMs, stepMs] = [30 * MINUTE_MS, 10 * MINUTE_MS]
      const steps = await busyIssueSteps(harness.deps, shop, {
        count,
        above: 12,
        search: '',
        fromMs,
        toMs: NOW_MS,
        stepMs,
        windowMs,
      })
      const singly = []
      for (let at = 0; at <= 12; at++) {
        const toMs = fromMs + at * stepMs
        const busy = await busyIssues(harness.deps, shop, {
          count,
          above: 12,
          search: '',
          fromMs: toMs - windowMs,
          toMs,
        })
        singly.push(
          ...busy
            .map(({ issueId, count: n }) => ({ issueId, at, count: n }))
            .toSorted((a, b) => a.issueId - b.issueId),
        )
      }
      assert.ok(singly.length > 0)
      assert.deepEqual(steps, singly)
    })

  it('changes of the kinds and of the search, and every end', async () => {
    const [first = 0, second = 0] = ids
    const ours = { projectId: shop.projectId }
    const [eventId = ''] = await harness.events(shop.projectId, first, [{ environment: 'special' }])
    await noteIssueChanges(
      harness.db,
      [
        { ...ours, issueId: first, kind: 'new', eventId },
        { ...ours, issueId: second, kind: 'regressed', eventId: 'f'.repeat(32) },
        { ...ours, issueId: second, kind: 'reopened' },
        { ...ours, issueId: second, kind: 'resolved' },
      ],
      NOW_MS,
    )
    const input = { kinds: ['new', 'regressed'] as const, fromMs: NOW_MS - 1 }
    const kindsOf = async (search: string) =>
      (await pastIssueChanges(harness.deps, shop, { ...input, search })).map(({ kind }) => kind)
    assert.deepEqual(await kindsOf(''), ['new', 'regressed', 'resolved'])
    assert.deepEqual(await kindsOf('environment:special'), ['new', 'resolved'])
    assert.deepEqual(await pastIssueChanges(harness.deps, other, { ...input, search: '' }), [])
  })
})
