import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { transactionChanges, transactionPage, verdictOf } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { performanceRows } from './rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }
/** So many durations around `middleMs`, none like another. */
const around = (middleMs: number, count: number) =>
  Array.from({ length: count }, (_, n) => middleMs * (0.5 + (n + 0.5) / count))

describe('routes and transactions', () => {
  let harness: Harness
  let shop: ProjectGrant

  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const rows = performanceRows(harness)
    const put = (agoMs: number, segmentName: string, durations: readonly number[], failed = 0) =>
      rows.spans(
        shop.projectId,
        durations.map((durationMs, n) => ({
          segmentName,
          durationMs,
          startMs: NOW_MS - agoMs,
          status: n < failed ? 'internal_error' : 'ok',
        })),
      )
    const [now, previous] = [10 * MINUTE_MS, HOUR_MS + 10 * MINUTE_MS]
    await put(previous, '/slower', around(100, 200))
    await put(now, '/slower', around(200, 300), 60)
    await put(previous, '/faster', around(100, 200), 40)
    await put(now, '/faster', around(50, 200))
    await put(previous, '/same', around(100, 100))
    await put(now, '/same', around(104, 100))
    await put(previous, '/rare', around(100, 29))
    await put(now, '/rare', around(900, 90))
    await put(now, '/new', around(100, 90))
    await put(previous, '/gone', around(100, 90))
    // Before the window before: no part of any comparison.
    await put(2 * HOUR_MS + MINUTE_MS, '/same', around(9000, 300))
    const rival = await harness.project(await harness.org('rival'), 'secret')
    await rows.spans(rival.projectId, [{ segmentName: '/secret' }])
  })
  after(() => harness.close())

  const changesOf = async (measure: 'p50' | 'p75' | 'p95' | 'failureRate') => {
    const found = await transactionChanges(harness.deps, shop, {
      ...WINDOW,
      measures: ['p50', 'p95', measure],
    })
    return new Map(
      found.map(({ name, samples, changes }) => {
        const of = changes[measure]
        assert.ok(of)
        return [name, { ...of, samples }]
      }),
    )
  }

  it('are told by how much they changed, and between which ends that lies', async () => {
    const changes = await changesOf('p75')
    assert.deepEqual([...changes.keys()].toSorted(), ['/faster', '/new', '/rare', '/same', '/slower'])
    const slower = changes.get('/slower')
    assert.ok(slower?.change.kind === 'known')
    assert.ok(Math.abs(slower.change.by - 1) < 0.02, `${slower.change.by}`)
    assert.ok(
      slower.change.low > 0.8 && slower.change.low < 1 && slower.change.high > 1 && slower.change.high < 1.3,
    )
    assert.deepEqual(slower.samples, [300, 200])
    assert.ok(Math.abs((slower.before ?? 0) - 125) < 1.3)
    assert.equal(verdictOf(slower.change), 'worse')
    const faster = changes.get('/faster')
    assert.equal(faster && verdictOf(faster.change), 'better')
    const same = changes.get('/same')
    assert.equal(same && verdictOf(same.change), 'undecided')
  })

  it('are told nothing of when there were too few, or none, before', async () => {
    const changes = await changesOf('p75')
    assert.deepEqual(
      [changes.get('/rare')?.change, changes.get('/rare')?.samples],
      [{ kind: 'few' }, [90, 29]],
    )
    assert.deepEqual([changes.get('/new')?.change, changes.get('/new')?.before], [{ kind: 'few' }, undefined])
  })

  it('are compared by failures in shares', async () => {
    const changes = await changesOf('failureRate')
    const [slower, faster] = [changes.get('/slower')?.change, changes.get('/faster')?.change]
    assert.ok(slower?.kind === 'known' && Math.abs(slower.by - 0.2) < 1e-9 && slower.low > 0.1)
    assert.ok(faster?.kind === 'known' && Math.abs(faster.by + 0.2) < 1e-9 && faster.high < -0.1)
  })

  it('a page of them is compared without the others', async () => {
    const namesake = { op: 'navigation', segmentName: '/same', release: 'other', startMs: NOW_MS - MINUTE_MS }
    await performanceRows(harness).spans(shop.projectId, [namesake])
    const routes = [
      { op: 'pageload', name: '/same' },
      { op: 'navigation', name: '/new' },
    ]
    const found = await transactionChanges(harness.deps, shop, { ...WINDOW, measures: ['p95'], routes })
    assert.deepEqual(
      found.map(({ op, name }) => [op, name]),
      [['pageload', '/same']],
    )
    assert.deepEqual(
      await transactionChanges(harness.deps, shop, { ...WINDOW, measures: ['p95'], routes: [] }),
      [],
    )
  })

  it('a sampled row says no more than one row, however many it stands for', async () => {
    const rows = performanceRows(harness)
    const release = 'sampled'
    const put = (startMs: number, middleMs: number) =>
      rows.spans(
        shop.projectId,
        around(middleMs, 40).map((durationMs) => ({ release, startMs, durationMs, sampleRate: 0.01 })),
      )
    await put(NOW_MS - MINUTE_MS, 110)
    await put(NOW_MS - HOUR_MS - MINUTE_MS, 100)
    const [found] = await transactionChanges(harness.deps, shop, {
      ...WINDOW,
      release: [release],
      measures: ['p75'],
    })
    const change = found?.changes.p75?.change
    assert.ok(change?.kind === 'known')
    // Of 4,000 rows each a tenth more would be beyond doubt.
    assert.equal(verdictOf(change), 'undecided')
    const { rows: listed } = await transactionPage(harness.deps, shop, { ...WINDOW, release: [release] })
    assert.deepEqual([listed[0]?.count, listed[0]?.samples], [4000, 40])
  })

  it('visits of one person say little more than one of them', async () => {
    const rows = performanceRows(harness)
    const put = (release: string, startMs: number, middleMs: number, people: number) =>
      rows.spans(
        shop.projectId,
        // Each person has a pace; all of their visits are alike.
        around(middleMs, 600).map((_, n) => ({
          release,
          startMs: startMs + n,
          durationMs: (around(middleMs, people)[n % people] ?? 0) * (1 + n / 60_000),
          userKey: `id:${people}-${n % people}`,
        })),
      )
    const changeOf = async (release: string) => {
      const [found] = await transactionChanges(harness.deps, shop, {
        ...WINDOW,
        release: [release],
        measures: ['p75'],
      })
      return found?.changes.p75?.change
    }
    for (const [release, people] of [
      ['many', 600],
      ['some', 40],
      ['few', 8],
    ] as const) {
      await put(release, NOW_MS - MINUTE_MS, 115, people)
      await put(release, NOW_MS - HOUR_MS - MINUTE_MS, 100, people)
    }
    const [many, some, few] = [await changeOf('many'), await changeOf('some'), await changeOf('few')]
    assert.ok(many && some)
    assert.deepEqual([verdictOf(many), verdictOf(some), few], ['worse', 'undecided', { kind: 'few' }])
  })

  it('are listed in any order, by pages, and by a part of their name', async () => {
    const names = async (input: Partial<Parameters<typeof transactionPage>[2]>) => {
      const page = await transactionPage(harness.deps, shop, { ...WINDOW, release: ['1.0'], ...input })
      return [page.total, ...page.rows.map(({ name }) => name)]
    }
    assert.deepEqual(await names({}), [5, '/slower', '/faster', '/same', '/new', '/rare'])
    assert.deepEqual(await names({ sort: 'p95', limit: 1 }), [5, '/rare'])
    assert.deepEqual(await names({ sort: 'p95', order: 'asc', limit: 1 }), [5, '/faster'])
    assert.deepEqual(await names({ sort: 'name', limit: 2, offset: 2 }), [5, '/rare', '/same'])
    assert.deepEqual(await names({ sort: 'failureRate', limit: 1 }), [5, '/slower'])
    assert.deepEqual(await names({ query: 'PAGELOAD /s', sort: 'name' }), [2, '/same', '/slower'])
    assert.deepEqual(await names({ query: '%' }), [0])
    assert.deepEqual(await names({ op: 'http.server' }), [0])
  })
})
