import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseSearch, searchSuggestions, suggestKeys, suggestValues, tagKeys } from '@sonde/queries'
import { eventColumnOf, issueFieldOf } from '../src/search/search-fields.ts'
import { FIXED_VALUES, KNOWN_KEYS } from '../src/suggest/known-keys.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

describe('search suggestions', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'my-shop')
    const [cart = 0, pay = 0] = await harness.issues(shop.projectId, [
      { title: 'TypeError: cart is undefined', culprit: 'cart/view.ts' },
      { title: '100% of payments_failed', culprit: 'pay/card.ts', last_seen_ms: NOW_MS - DAY_MS },
    ])
    await harness.events(shop.projectId, cart, [
      { release: '2.0', tags: { 'browser.name': 'Firefox', plan: 'gold', 'my tag': 'a b' } },
      { release: '2.0', tags: { 'browser.name': 'Firefox', plan: '100%' }, userKey: 'id:42' },
      { release: '1.0', tags: { 'browser.name': 'Safari', release: 'tagged' } },
    ])
    await harness.events(shop.projectId, pay, [
      {
        release: '0.1',
        tags: { 'browser.name': 'Opera', old: 'yes' },
        timestampMs: NOW_MS - 20 * DAY_MS,
        receivedMs: NOW_MS - 20 * DAY_MS,
      },
    ])
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const [hidden = 0] = await harness.issues(rival.projectId, [{ title: 'Secret' }])
    await harness.events(rival.projectId, hidden, [{ release: 'rival@1', tags: { hidden: 'Firefox' } }])
  })
  after(() => harness.close())

  it('every known key is one that the search understands', () => {
    for (const { key, description } of KNOWN_KEYS) {
      const named = { name: key, isTag: false }
      assert.ok(key === 'has' || issueFieldOf(named) || eventColumnOf(named), key)
      assert.ok(description.length > 5 && description.length < 80, key)
    }
  })

  it('every fixed value is one that the search can read', () => {
    for (const [key, values] of FIXED_VALUES) {
      for (const { value } of values) assert.equal(parseSearch(`${key}:${value}`).length, 1)
    }
  })

  const KEYS: readonly (readonly [string, readonly string[]])[] = [
    ['brow', ['browser.name']],
    ['BROW', ['browser.name']],
    ['pla', ['platform', 'plan']],
    ['name', ['user.username', 'sdk.name', 'browser.name']],
    ['old', []],
    ['hidden', []],
    ['nothing-like-it', []],
  ]
  for (const [prefix, names] of KEYS) {
    it(`"${prefix}" offers ${names.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(
        (await suggestKeys(harness.deps, acme, prefix)).map(({ key }) => key),
        names,
      )
    })
  }

  it('tags are counted within the period, most frequent first', async () => {
    assert.deepEqual(await tagKeys(harness.deps, shop), [
      { key: 'browser.name', count: 3 },
      { key: 'plan', count: 2 },
      { key: 'my tag', count: 1 },
      { key: 'release', count: 1 },
    ])
    const longer = await tagKeys(harness.deps, shop, { statsPeriod: '30d' })
    assert.ok(longer.some(({ key }) => key === 'old'))
    await assert.rejects(tagKeys(harness.deps, shop, { statsPeriod: 'soon' }), /not a period/)
  })

  const VALUES: readonly (readonly [string, string, readonly string[]])[] = [
    ['is', 're', ['resolved', 'regressed', 'unresolved', 'ignored', 'for_review']],
    ['level', '', ['fatal', 'error', 'warning', 'info', 'debug']],
    ['release', '', ['2.0', '1.0']],
    ['firstRelease', '1', ['1.0']],
    ['browser.name', '', ['Firefox', 'Safari']],
    ['browser.name', 'fire', ['Firefox']],
    ['browser.name', 'FOX', ['Firefox']],
    ['plan', '0%', ['100%']],
    ['plan', '%', ['100%']],
    ['plan', '_', []],
    ['user.id', '', ['42']],
    ['user', '', ['id:42']],
    ['project', 'shop', ['my-shop']],
    ['issue', 'my-shop-1', ['MY-SHOP-1']],
    ['title', 'cart', ['TypeError: cart is undefined']],
    ['title', '0%', ['100% of payments_failed']],
    ['title', '', ['TypeError: cart is undefined', '100% of payments_failed']],
    ['culprit', 'pay', ['pay/card.ts']],
    ['hidden', '', []],
    ['user.email', '', []],
    ["x'); DROP TABLE events; --", "'; DROP", []],
    ['__proto__', '', []],
  ]
  for (const [key, prefix, values] of VALUES) {
    it(`${key}:${prefix} offers ${values.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(
        (await suggestValues(harness.deps, acme, key, prefix)).map(({ value }) => value),
        values,
      )
    })
  }

  it('a tag with the name of a field has its own values', async () => {
    const [row] = await suggestValues(harness.deps, shop, { name: 'release', isTag: true }, '')
    assert.deepEqual(row, {
      value: 'tagged',
      count: 1,
      description: undefined,
      seen: { firstMs: NOW_MS - MINUTE_MS, lastMs: NOW_MS - MINUTE_MS },
    })
  })

  it('at the cursor it offers what can be put there', async () => {
    const offered = async (text: string, cursor?: number) => {
      const answer = await searchSuggestions(harness.deps, shop, {
        text,
        ...(cursor !== undefined && { cursor }),
      })
      return answer.suggestions.map((row) => text.slice(0, answer.from) + row.text + text.slice(answer.to))
    }
    assert.deepEqual(await offered('is:unresolved brow'), ['is:unresolved browser.name:'])
    assert.deepEqual(await offered('!browser.name:Saf level:error', 17), ['!browser.name:Safari level:error'])
    assert.deepEqual(await offered('my p'), ['my platform:', 'my project:', 'my plan:'])
    assert.deepEqual(await offered('my'), ['tags[my tag]:'])
    assert.deepEqual(await offered('tags[my tag]:'), ['tags[my tag]:"a b"'])
    assert.deepEqual(await offered('has:plan'), ['has:plan'])
    assert.deepEqual(await offered('timesSeen:>1'), ['timesSeen:>1', 'timesSeen:>100', 'timesSeen:>10000'])
    assert.deepEqual(await offered('release:[2.0, 1'), ['release:[2.0, 1.0'])
  })

  it('of many events whole blocks are read, and what is rare is still counted by its weight', async () => {
    const many = await harness.project(acme, 'many')
    const [issue = 0] = await harness.issues(many.projectId, [{}])
    await harness.telemetry.command(
      `INSERT INTO events (project_id, issue_id, timestamp, received, event_id, tags)
       SELECT ${many.projectId}, ${issue}, toDateTime64('2026-01-30 00:00:00', 3, 'UTC') AS at, at,
         leftPad(toString(number), 32, '0'), map('shade', if(number % 4 = 0, 'rare', 'often'))
       FROM numbers(200000)`,
    )
    const [often, rare] = await suggestValues(harness.deps, many, 'shade', '')
    assert.equal(often?.value, 'often')
    assert.equal(rare?.value, 'rare')
    assert.ok(Math.abs((often?.count ?? 0) - 150_000) < 15_000, `${often?.count}`)
    assert.ok(Math.abs((rare?.count ?? 0) - 50_000) < 5_000, `${rare?.count}`)
  })
})
