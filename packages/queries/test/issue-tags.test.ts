import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findIssue, type IssueRow, issueTags, type IssueTagsInput, issueTagValues } from '@sonde/queries'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const HOUR_MS = 3_600_000

describe('the tags of an issue', () => {
  let harness: Harness
  let issue: IssueRow
  before(async () => {
    harness = await openHarness()
    const shop = await harness.project(await harness.org('acme'), 'shop')
    const [cart = 0, other = 0] = await harness.issues(shop.projectId, [{}, {}])
    await harness.events(shop.projectId, cart, [
      { timestampMs: NOW_MS - 1, environment: 'prod', tags: { browser: 'Safari', plan: 'gold' } },
      { timestampMs: NOW_MS - 2, environment: 'prod', tags: { browser: 'Safari', empty: '' } },
      { timestampMs: NOW_MS - 3, environment: 'dev', tags: { browser: 'Firefox 100%' } },
      { timestampMs: NOW_MS - 5 * HOUR_MS, environment: 'dev', tags: { browser: 'Opera', plan: 'free' } },
    ])
    await harness.events(shop.projectId, other, [{ tags: { browser: 'Lynx' } }])
    const found = await findIssue(harness.deps, shop, cart)
    assert.ok(found)
    issue = found
  })
  after(() => harness.close())

  const CASES: readonly (readonly [string, Partial<IssueTagsInput>, readonly string[]])[] = [
    [
      'ever',
      {},
      ['browser 4/3: Safari 0.50, Firefox 100% 0.25, Opera 0.25', 'plan 2/2: free 0.50, gold 0.50'],
    ],
    [
      'of a period',
      { fromMs: NOW_MS - HOUR_MS },
      ['browser 3/2: Safari 0.67, Firefox 100% 0.33', 'plan 1/1: gold 1.00'],
    ],
    ['before', { toMs: NOW_MS - HOUR_MS }, ['browser 1/1: Opera 1.00', 'plan 1/1: free 1.00']],
    ['of an environment', { environments: ['prod'] }, ['browser 2/1: Safari 1.00', 'plan 1/1: gold 1.00']],
    ['of a search', { query: 'plan:gold' }, ['browser 1/1: Safari 1.00', 'plan 1/1: gold 1.00']],
    ['one tag', { key: 'plan' }, ['plan 2/2: free 0.50, gold 0.50']],
    ['one value each', { valuesPerKey: 1 }, ['browser 4/3: Safari 0.50', 'plan 2/2: free 0.50']],
    ['nothing', { environments: ['test'] }, []],
  ]
  for (const [name, input, lines] of CASES) {
    it(`${name}: total, different values and shares`, async () => {
      const tags = await issueTags(harness.deps, issue, { keys: 10, valuesPerKey: 5, ...input })
      const text = tags.map(
        ({ key, total, distinct, values }) =>
          `${key} ${total}/${distinct}: ${values.map(({ value, share }) => `${value} ${share.toFixed(2)}`).join(', ')}`,
      )
      assert.deepEqual(text, lines)
    })
  }

  it('one tag has a page of its values, with the same shares on each page', async () => {
    const page = await issueTagValues(harness.deps, issue, { key: 'browser', limit: 1 })
    assert.deepEqual([page.total, page.distinct], [4, 3])
    assert.deepEqual(page.rows, [
      { value: 'Safari', count: 2, share: 0.5, firstSeenMs: NOW_MS - 2, lastSeenMs: NOW_MS - 1 },
    ])
    assert.equal(page.next.hasResults, true)
    const next = await issueTagValues(harness.deps, issue, {
      key: 'browser',
      limit: 5,
      cursor: page.next.cursor,
    })
    assert.deepEqual(
      next.rows.map(({ value, share }) => [value, share]),
      [
        ['Firefox 100%', 0.25],
        ['Opera', 0.25],
      ],
    )
    assert.equal(next.next.hasResults, false)
  })

  it('values can be looked for, in a period, an environment or a search', async () => {
    const values = async (input: Partial<Parameters<typeof issueTagValues>[2]>) => {
      const page = await issueTagValues(harness.deps, issue, { key: 'browser', ...input })
      return `${page.total}: ${page.rows.map(({ value }) => value).join()}`
    }
    assert.equal(await values({ contains: '0%' }), '4: Firefox 100%')
    assert.equal(await values({ contains: 'SAF' }), '4: Safari')
    assert.equal(await values({ fromMs: NOW_MS - 2 }), '2: Safari')
    assert.equal(await values({ environments: ['dev'] }), '2: Firefox 100%,Opera')
    assert.equal(await values({ query: 'plan:free' }), '1: Opera')
    assert.equal(await values({ key: 'nothing' }), '0: ')
    await assert.rejects(values({ cursor: 'x' }), /not a cursor/)
  })
})
