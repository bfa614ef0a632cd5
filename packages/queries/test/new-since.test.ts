import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ListIssuesInput, newSince, SearchError } from '@sonde/queries'
import { type House, MINUTE_MS, NOW_MS, openHouse, type OrgGrant, type ProjectGrant } from './house.ts'

const LOADED_MS = NOW_MS - 10 * MINUTE_MS
const BEFORE_MS = LOADED_MS - 1

describe('newSince', () => {
  let house: House
  let acme: OrgGrant
  let shop: ProjectGrant
  before(async () => {
    house = await openHouse()
    acme = await house.org('acme')
    shop = await house.project(acme, 'shop')
    const [quiet = 0, again = 0, fresh = 0, , resolved = 0] = await house.issues(shop.projectId, [
      { title: 'Quiet', created_ms: BEFORE_MS },
      { title: 'Again', created_ms: BEFORE_MS },
      { title: 'Fresh', created_ms: LOADED_MS + 5 },
      // Received before the list was read, stored after it.
      { title: 'Late', created_ms: LOADED_MS + 1 },
      { title: 'Done', created_ms: BEFORE_MS, status: 'resolved' },
      { title: 'Unborn', created_ms: LOADED_MS + 9, event_count: 0 },
    ])
    await house.events(shop.projectId, quiet, [{ receivedMs: BEFORE_MS, timestampMs: NOW_MS }])
    await house.events(shop.projectId, again, [
      { receivedMs: BEFORE_MS, release: '1.0' },
      // What a page kept while it was offline: happened long ago, is news all the same.
      { receivedMs: LOADED_MS, timestampMs: NOW_MS - 9 * 86_400_000, release: '2.0', environment: 'dev' },
      { receivedMs: NOW_MS, release: '2.0' },
    ])
    await house.events(shop.projectId, fresh, [{ receivedMs: NOW_MS, release: '2.0' }])
    await house.events(shop.projectId, resolved, [{ receivedMs: NOW_MS }])
    const rival = await house.project(await house.org('rival'), 'secret')
    const [hidden = 0] = await house.issues(rival.projectId, [{ created_ms: NOW_MS }])
    await house.events(rival.projectId, hidden, [{ receivedMs: NOW_MS }])
  })
  after(() => house.close())

  const CASES: readonly (readonly [string, Omit<ListIssuesInput, 'grant'>, number, number])[] = [
    ['the usual list', {}, 2, 1],
    ['everything', { query: '' }, 2, 2],
    ['a state', { query: 'is:resolved' }, 0, 1],
    ['a search over events: only those that match are news', { query: 'release:2.0' }, 1, 1],
    ['what only old events have', { query: 'release:1.0' }, 0, 0],
    ['an environment', { environments: ['dev'] }, 0, 1],
    ['text', { query: 'again' }, 0, 1],
    ['another order and page', { sort: 'freq', cursor: '0:100:0', limit: 1 }, 2, 1],
    ['no project of the grant', { projectIds: [99] }, 0, 0],
  ]
  for (const [name, input, created, updated] of CASES) {
    it(`${name}: ${created} created, ${updated} updated`, async () => {
      const grant = name === 'everything' ? acme : shop
      const answer = await newSince(house.deps, { grant, ...input }, LOADED_MS)
      assert.deepEqual(answer, { created, updated, isCapped: false })
    })
  }

  it('nothing is new since now', async () => {
    const answer = await newSince(house.deps, { grant: acme }, NOW_MS + 1)
    assert.deepEqual(answer, { created: 0, updated: 0, isCapped: false })
  })

  it('a search that cannot be understood is refused as in the list', async () => {
    await assert.rejects(newSince(house.deps, { grant: acme, query: 'is:purple' }, LOADED_MS), SearchError)
  })
})
