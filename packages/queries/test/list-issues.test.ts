import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type IssueSort,
  listIssues,
  type ListIssuesInput,
  matchingIssueIds,
  SearchError,
} from '@sonde/queries'
import {
  type Harness,
  issueRow,
  MINUTE_MS,
  NOW_MS,
  openHarness,
  type OrgGrant,
  type ProjectGrant,
} from './harness.ts'

describe('listIssues', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let rival: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'my-shop')
    const [cart = 0, pay = 0, old = 0] = await harness.issues(shop.projectId, [
      { title: 'TypeError: cart is undefined', level: 'fatal', event_count: 3, is_unhandled: 1 },
      {
        title: 'Payment 100% failed_here',
        culprit: 'pay/card.ts',
        status: 'resolved',
        substatus: '',
        last_seen_ms: NOW_MS - 2 * MINUTE_MS,
        event_count: 7,
        first_release: '1.0',
      },
      {
        title: 'Old news',
        level: 'warning',
        last_seen_ms: NOW_MS - 3 * 86_400_000,
        first_seen_ms: NOW_MS - 9 * 86_400_000,
        event_count: 5,
        substatus: 'regressed',
      },
      // As between the two steps of a commit: every search below leaves it out.
      { title: 'Unborn cart', level: 'fatal', event_count: 0 },
    ])
    await harness.events(shop.projectId, cart, [
      { userKey: 'id:1', release: '2.0', environment: 'prod', tags: { browser: 'Firefox 99' } },
      { userKey: 'id:2', release: '2.0', environment: 'prod', exceptionType: 'TypeError' },
      {
        userKey: 'id:2',
        timestampMs: NOW_MS - 5 * 3_600_000,
        payload: JSON.stringify({ user: { email: 'ada@acme.test', ip_address: '203.0.113.7' } }),
      },
    ])
    await harness.events(shop.projectId, pay, [
      { userKey: 'id:3', release: '1.0', environment: 'dev', handled: 'yes', tags: { level: 'mine' } },
    ])
    await harness.events(shop.projectId, old, [
      { timestampMs: NOW_MS - 3 * 86_400_000, url: 'http://x.test/a' },
    ])
    rival = await harness.project(await harness.org('rival'), 'secret')
    const [hidden = 0] = await harness.issues(rival.projectId, [{ title: 'TypeError: secret' }])
    await harness.events(rival.projectId, hidden, [{ release: '2.0', tags: { browser: 'Firefox 99' } }])
  })
  after(() => harness.close())

  const titles = async (input: Omit<ListIssuesInput, 'grant'>): Promise<string[]> =>
    (await listIssues(harness.deps, { grant: shop, ...input })).rows.map(
      (row) => row.title.split(/[ :]/)[0] ?? '',
    )

  const order = async (sort: IssueSort, statsPeriod?: string): Promise<string> =>
    (await titles({ query: '', sort, statsPeriod })).join(' ')
  const rowsOf = async (projectIds: readonly number[]): Promise<number> =>
    (await listIssues(harness.deps, { grant: acme, query: '', projectIds })).rows.length

  const SEARCHES: readonly (readonly [string, readonly string[]])[] = [
    ['', ['TypeError', 'Payment', 'Old']],
    ['is:unresolved', ['TypeError', 'Old']],
    ['is:resolved', ['Payment']],
    ['!is:unresolved', ['Payment']],
    ['is:regressed', ['Old']],
    ['is:unhandled', ['TypeError']],
    ['error.unhandled:false', ['Payment', 'Old']],
    ['level:fatal', ['TypeError']],
    ['level:[fatal, warning]', ['TypeError', 'Old']],
    ['!level:[fatal, warning]', ['Payment']],
    ['cart', ['TypeError']],
    ['CART', ['TypeError']],
    ['card.ts', ['Payment']],
    ['100%', ['Payment']],
    ['failed_here', ['Payment']],
    ['failedXhere', []],
    ['!news is:unresolved', ['TypeError']],
    ['title:Old*', ['Old']],
    ['title:Old', []],
    ['timesSeen:>4', ['Payment', 'Old']],
    ['timesSeen:3', ['TypeError']],
    ['firstSeen:-24h', ['TypeError', 'Payment']],
    ['age:+7d', ['Old']],
    ['lastSeen:<2026-01-30', ['Old']],
    ['firstRelease:1.0', ['Payment']],
    ['has:firstRelease', ['Payment']],
    ['issue:MY-SHOP-2', ['Payment']],
    ['issue.id:1', ['TypeError']],
    ['project:my-shop cart', ['TypeError']],
    ['project:secret', []],
    ['release:2.0', ['TypeError']],
    ['release:[1.0, 2.0]', ['TypeError', 'Payment']],
    ['release:1.0 is:unresolved', []],
    ['!release:2.0', ['Payment', 'TypeError', 'Old']],
    ['environment:dev', ['Payment']],
    ['error.type:TypeError', ['TypeError']],
    ['error.handled:true', ['Payment']],
    ['user.email:ada@acme.test', ['TypeError']],
    ['user.ip:203.0.113.*', ['TypeError']],
    ['user.id:2', ['TypeError']],
    ['user:id:3', ['Payment']],
    ['url:http://x.test/*', ['Old']],
    ['browser:Firefox*', ['TypeError']],
    ['browser:firefox*', ['TypeError']],
    ['browser:firefox', []],
    ['has:browser', ['TypeError']],
    ['!has:user', ['Old']],
    ['tags[level]:mine', ['Payment']],
    ['tags[level]:fatal', []],
    ['__proto__:x', []],
    ['release:"\' OR 1=1 --"', []],
    [`"' OR 1=1 --"`, []],
    ['release:"\\\\\' \0 \u{1F600}"', []],
    ['"<script>alert(1)</script>"', []],
  ]
  for (const [query, expected] of SEARCHES) {
    it(`answers ${JSON.stringify(query)}`, async () => {
      assert.deepEqual((await titles({ query })).toSorted(), [...expected].toSorted())
    })
  }

  const WRONG: readonly string[] = [
    'is:purple',
    'timesSeen:many',
    'firstSeen:soon',
    'level:>error',
    'release:>1',
    'issue:7',
  ]
  for (const query of WRONG) {
    it(`refuses ${query}`, async () => {
      await assert.rejects(titles({ query }), SearchError)
    })
  }

  it('orders by last event, creation, events and users', async () => {
    assert.equal(await order('date'), 'TypeError Payment Old')
    assert.equal(await order('new'), 'Old Payment TypeError')
    assert.equal(await order('freq'), 'Payment Old TypeError')
    assert.equal(await order('freq', '24h'), 'TypeError Payment')
    assert.equal(await order('user'), 'TypeError Payment Old')
  })

  it('a period leaves out what was not seen within it', async () => {
    assert.deepEqual(await titles({ query: '', statsPeriod: '24h' }), ['TypeError', 'Payment'])
    assert.deepEqual(await titles({ query: '', statsPeriod: '90d' }), ['TypeError', 'Payment', 'Old'])
    await assert.rejects(titles({ statsPeriod: 'soon' }), SearchError)
    await assert.rejects(titles({ statsPeriod: '0h' }), SearchError)
  })

  it('the default is what is unresolved', async () => {
    assert.deepEqual(await titles({}), ['TypeError', 'Old'])
  })

  it('environments narrow it down', async () => {
    assert.deepEqual(await titles({ query: '', environments: ['dev'] }), ['Payment'])
    assert.deepEqual((await titles({ query: '', environments: ['dev', 'prod'] })).toSorted(), [
      'Payment',
      'TypeError',
    ])
  })

  it('a row has its users and the bars of a day', async () => {
    const { rows } = await listIssues(harness.deps, { grant: shop, query: 'cart' })
    const [row] = rows
    assert.ok(row)
    assert.equal(row.shortId, 'MY-SHOP-1')
    assert.equal(row.userCount, 2)
    assert.equal(row.bars.counts.length, 24)
    assert.deepEqual([row.bars.counts[18], row.bars.counts[22]], [1, 2])
    assert.equal(
      row.bars.counts.reduce((sum, count) => sum + count),
      3,
    )
    assert.equal(row.bars.startSec % 3600, 0)
  })

  it('the projects asked for stay within the grant', async () => {
    assert.equal(await rowsOf([]), 3)
    assert.equal(await rowsOf([shop.projectId]), 3)
    assert.equal(await rowsOf([rival.projectId]), 0)
  })

  it('no search crosses into another organization', async () => {
    for (const query of [
      '',
      'release:2.0',
      'browser:*',
      'TypeError',
      `project.id:${rival.projectId}`,
      '!has:nothing',
    ]) {
      for (const sort of ['date', 'user'] as const) {
        const { rows } = await listIssues(harness.deps, { grant: acme, query, sort })
        assert.deepEqual(
          [...new Set(rows.map((row) => row.project.slug))].filter((slug) => slug !== 'my-shop'),
          [],
          query,
        )
      }
      const ids = await matchingIssueIds(harness.deps, { grant: acme, query })
      assert.ok(!ids.includes(4), query)
    }
  })

  it('of all that match, those that are so already are left out', async () => {
    const found = (query: string | undefined, otherThan?: string) =>
      matchingIssueIds(harness.deps, { grant: acme, query, otherThan })
    const all = await found('')
    const [open, resolved] = [await found(undefined), await found('is:resolved')]
    assert.ok(open.length > 0 && resolved.length > 0)
    assert.deepEqual(
      await found('', 'is:resolved'),
      all.filter((id) => !resolved.includes(id)),
    )
    assert.deepEqual(await found(undefined, 'is:unresolved'), [])
  })
})

describe('paging through 250 issues', () => {
  let harness: Harness
  let org: OrgGrant
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    for (const slug of ['one', 'two']) {
      const { projectId } = await harness.project(org, slug)
      const rows = Array.from({ length: 125 }, (_, index) => ({
        ...issueRow(projectId, index + 1),
        // Many share a time and a count: the id has to break the tie.
        last_seen_ms: NOW_MS - (index % 7) * MINUTE_MS,
        event_count: 1 + (index % 3),
      }))
      const ids = await harness.issues(projectId, rows)
      for (const id of ids.slice(0, 40))
        await harness.events(projectId, id, [{ release: '1.0', userKey: `id:${id % 5}` }])
    }
  })
  after(() => harness.close())

  const CASES: readonly (readonly [string, IssueSort, string, string | undefined, number])[] = [
    ['along an index', 'date', '', undefined, 250],
    ['newest first', 'new', '', undefined, 250],
    ['by count', 'freq', '', undefined, 250],
    // Also those whose events retention has removed: nobody is known of them.
    ['by users', 'user', '', undefined, 250],
    ['with a condition on events', 'date', 'release:1.0', '24h', 80],
  ]
  for (const [name, sort, query, statsPeriod, total] of CASES) {
    it(`${name}: every issue once on the way down, the same pages on the way up`, async () => {
      const input = { query, sort, statsPeriod, limit: 30 }
      const pages: number[][] = []
      let page = await listIssues(harness.deps, { grant: org, ...input })
      assert.equal(page.previous.hasResults, false)
      assert.equal(page.hits, total)
      for (;;) {
        pages.push(page.rows.map((row) => row.id))
        if (!page.next.hasResults) break
        page = await listIssues(harness.deps, { grant: org, ...input, cursor: page.next.cursor })
        assert.equal(page.previous.hasResults, true)
      }
      assert.equal(pages.length, Math.ceil(total / 30))
      assert.equal(new Set(pages.flat()).size, total)
      for (let index = pages.length - 2; index >= 0; index--) {
        page = await listIssues(harness.deps, { grant: org, ...input, cursor: page.previous.cursor })
        assert.deepEqual(
          page.rows.map((row) => row.id),
          pages[index],
        )
        assert.equal(page.next.hasResults, true)
      }
      assert.equal(page.previous.hasResults, false)
    })
  }

  it('a new issue on top moves no page', async () => {
    const first = await listIssues(harness.deps, { grant: org, query: '', limit: 10 })
    const second = await listIssues(harness.deps, {
      grant: org,
      query: '',
      limit: 10,
      cursor: first.next.cursor,
    })
    await harness.issues(first.rows[0]?.project.id ?? 0, [
      { short_number: 9_000, last_seen_ms: NOW_MS + MINUTE_MS },
    ])
    const again = await listIssues(harness.deps, {
      grant: org,
      query: '',
      limit: 10,
      cursor: first.next.cursor,
    })
    assert.deepEqual(
      again.rows.map((row) => row.id),
      second.rows.map((row) => row.id),
    )
  })

  it('the form that clients make up themselves counts rows', async () => {
    const all = await listIssues(harness.deps, { grant: org, query: '', limit: 100 })
    const page = await listIssues(harness.deps, { grant: org, query: '', limit: 5, cursor: '0:20:0' })
    assert.deepEqual(
      page.rows.map((row) => row.id),
      all.rows.slice(20, 25).map((row) => row.id),
    )
  })

  it('a page has at most 100 rows, whatever is asked for', async () => {
    for (const limit of [1_000_000, Number.NaN, -5]) {
      const { rows } = await listIssues(harness.deps, { grant: org, query: '', limit })
      assert.ok(rows.length >= 1 && rows.length <= 100, `${limit}: ${rows.length}`)
    }
  })
})
