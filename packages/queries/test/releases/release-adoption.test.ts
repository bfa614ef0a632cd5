import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { adoptionSeries, MAX_ADOPTION_RELEASES, releaseAdoption } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'

const HOUR_MS = 60 * MINUTE_MS
const WINDOW = { fromMs: NOW_MS - HOUR_MS, toMs: NOW_MS }
const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let org: OrgGrant
let rows: ReturnType<typeof performanceRows>

const events = async (project: ProjectGrant, given: Parameters<Harness['events']>[2]): Promise<void> => {
  const [issue = 0] = await harness.issues(project.projectId, [{}])
  await harness.events(project.projectId, issue, given)
}

describe('release adoption', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    rows = performanceRows(harness)
  })

  after(() => harness.close())

  it('is a share of page loads and navigations, counted up from what was sampled', async () => {
    const shop = await harness.project(org, 'shop')
    await rows.spans(shop.projectId, [
      { release: 'shop@1', userKey: 'id:1', op: 'pageload', sampleRate: 0.5 },
      { release: 'shop@1', userKey: 'id:1', op: 'navigation' },
      { release: 'shop@2', userKey: 'id:2' },
      { release: 'shop@3', userKey: 'id:3' },
      { release: '', userKey: 'id:4' },
      // None of these is a page that somebody opened.
      { release: 'shop@1', op: 'http.server', userKey: 'id:1' },
      { release: 'shop@1', op: 'ui.webvital.cls', userKey: 'id:5' },
      { release: 'shop@1', op: 'pageload', isSegment: false, userKey: 'id:6' },
      { release: 'shop@1', startMs: ago(61), userKey: 'id:7' },
    ])
    await events(shop, [
      { release: 'shop@1', userKey: 'id:1' },
      { release: 'shop@1', userKey: 'id:8' },
      { release: 'shop@2', timestampMs: ago(70), receivedMs: ago(70) },
    ])
    const asked = { ...WINDOW, releases: ['shop@1', 'shop@2', 'shop@none'] }
    const { basis, total, releases } = await releaseAdoption(harness.deps, shop, asked)
    assert.equal(basis, 'visits')
    assert.deepEqual(total, { visits: 6, transactions: 1, events: 2, users: 5 })
    assert.deepEqual(
      releases.toSorted((a, b) => a.release.localeCompare(b.release)),
      [
        { release: 'shop@1', visits: 3, transactions: 1, events: 2, users: 2 },
        { release: 'shop@2', visits: 1, transactions: 0, events: 0, users: 1 },
      ],
    )
  })

  it('of a server it is a share of its transactions, of what sends errors alone of its events', async () => {
    const server = await harness.project(org, 'server')
    await rows.spans(server.projectId, [
      { release: 'api@1', op: 'http.server' },
      { release: 'api@1', op: 'queue.task' },
      { release: 'api@2', op: 'http.server' },
    ])
    await events(server, [{ release: 'api@1' }])
    const ofServer = await releaseAdoption(harness.deps, server, { ...WINDOW, releases: ['api@1'] })
    assert.deepEqual(
      [ofServer.basis, ofServer.total.transactions, ofServer.releases[0]?.transactions],
      ['transactions', 3, 2],
    )
    const quiet = await harness.project(org, 'quiet')
    await events(quiet, [{ release: 'q@1' }, { release: '' }, { release: 'q@2' }])
    const ofEvents = await releaseAdoption(harness.deps, quiet, { ...WINDOW, releases: ['q@1'] })
    assert.deepEqual([ofEvents.basis, ofEvents.total.events, ofEvents.releases[0]?.events], ['events', 3, 1])
  })

  it('without anything there is nothing to be a share of', async () => {
    const empty = await harness.project(org, 'empty')
    const { basis, total, releases } = await releaseAdoption(harness.deps, empty, {
      ...WINDOW,
      releases: ['a'],
    })
    assert.deepEqual([basis, total.users, releases], [undefined, 0, []])
    const bare = await harness.org('bare')
    assert.equal((await releaseAdoption(harness.deps, bare, { ...WINDOW, releases: ['a'] })).basis, undefined)
    const series = await adoptionSeries(harness.deps, bare, { ...WINDOW, releases: ['a'], buckets: 6 })
    assert.deepEqual([series.basis, series.counts], [undefined, [0, 0, 0, 0, 0, 0]])
  })

  it('keeps to an environment, to the project, and to so many releases', async () => {
    const narrow = await harness.project(org, 'narrow')
    await rows.spans(narrow.projectId, [
      { release: 'n@1', environment: 'staging' },
      { release: 'n@1', environment: 'prod' },
      { release: 'last', environment: 'prod' },
    ])
    await events(narrow, [{ release: 'n@1', environment: 'staging' }])
    const staging = { ...WINDOW, environment: ['staging'], releases: ['n@1', 'shop@1'] }
    const { total, releases } = await releaseAdoption(harness.deps, narrow, staging)
    assert.deepEqual([total.visits, total.events, releases.length], [1, 1, 1])
    const many = Array.from({ length: MAX_ADOPTION_RELEASES }, (_, index) => `r${index}`)
    const cut = await releaseAdoption(harness.deps, narrow, { ...WINDOW, releases: [...many, 'last'] })
    assert.deepEqual([cut.total.visits, cut.releases], [3, []])
    const whole = await releaseAdoption(harness.deps, narrow, {
      ...WINDOW,
      releases: [...many.slice(1), 'last'],
    })
    assert.equal(whole.releases[0]?.visits, 1)
  })

  it('over time it says how one release takes over from another', async () => {
    const taken = await harness.project(org, 'taken')
    const given = (release: string, minutes: number, sampleRate = 1) => ({
      release,
      startMs: ago(minutes),
      sampleRate,
    })
    await rows.spans(taken.projectId, [
      given('t@1', 55),
      given('t@1', 35),
      given('t@2', 35),
      given('t@2', 5, 0.25),
      given('', 5),
    ])
    const series = await adoptionSeries(harness.deps, taken, {
      ...WINDOW,
      releases: ['t@2', 't@1'],
      buckets: 6,
    })
    assert.deepEqual([series.basis, series.interval], ['visits', '10m'])
    assert.deepEqual(series.counts, [1, 0, 2, 0, 0, 5])
    assert.deepEqual(series.releases, [
      { release: 't@2', counts: [0, 0, 1, 0, 0, 4] },
      { release: 't@1', counts: [1, 0, 1, 0, 0, 0] },
    ])
  })

  it('names are taken as they are, whatever stands in them', async () => {
    const odd = await harness.project(org, 'odd')
    const names = [`o'dd@1+b/2 "x"`, 'a\\b\tc', '🚀'.repeat(100), '{releases:Array(String)}']
    await rows.spans(
      odd.projectId,
      names.map((release) => ({ release })),
    )
    const found = await releaseAdoption(harness.deps, odd, { ...WINDOW, releases: names })
    assert.deepEqual(new Set(found.releases.map(({ release }) => release)), new Set(names))
  })
})
