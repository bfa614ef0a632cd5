import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type GroupingTrial, groupingTrial, type GroupStored, TRIAL_PAGE } from '@sonde/queries'
import { DEFAULT_GROUPING } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from './harness.ts'

const RULES = { before: DEFAULT_GROUPING, now: { ...DEFAULT_GROUPING, fingerprintRules: 'x' } }
/** The hash is the title, with the rules before it. */
const group: GroupStored = (payload, rules) => {
  const { derived } = JSON.parse(payload) as { derived?: { title?: string } }
  const title = derived?.title ?? ''
  return rules.map(({ fingerprintRules }) => ({
    hash: `${fingerprintRules}${title}`,
    title,
    rule: undefined,
    fingerprint: '',
    changedFrames: 0,
  }))
}

describe('a trial of grouping rules', () => {
  let harness: Harness
  let shop: ProjectGrant
  let ids: readonly string[]
  let issueId: number
  before(async () => {
    harness = await openHarness()
    const acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const other = await harness.project(acme, 'other')
    ;[issueId = 0] = await harness.issues(shop.projectId, [{}])
    const [foreign = 0] = await harness.issues(other.projectId, [{}])
    const at = (minute: number) => ({ timestampMs: NOW_MS - minute * MINUTE_MS })
    ids = await harness.events(
      shop.projectId,
      issueId,
      // Four at the same millisecond where a page ends.
      Array.from({ length: 70 }, (_, index) => at(index > 46 && index < 51 ? 48 : index)),
    )
    await harness.events(other.projectId, foreign, [at(1)])
    const old = NOW_MS - 91 * 24 * 60 * MINUTE_MS
    await harness.events(shop.projectId, issueId, [{ timestampMs: old }])
  })
  after(() => harness.close())

  it('looks at the newest events of the project alone, each once, page by page', async () => {
    const pages: GroupingTrial[] = []
    let cursor: string | undefined
    do {
      const page: GroupingTrial = await groupingTrial(harness.deps, shop, group, RULES, cursor)
      pages.push(page)
      cursor = page.next
    } while (cursor !== undefined)
    assert.equal(pages[0]?.events.length, TRIAL_PAGE)
    const seen = pages.flatMap(({ events }) => events.map(({ eventId }) => eventId))
    assert.deepEqual(seen.toSorted(), [...ids].sort())
    const times = pages.flatMap(({ events }) => events.map(({ timestampMs }) => timestampMs))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    assert.deepEqual(
      pages[0]?.issues.map(({ id }) => id),
      [issueId],
    )
    assert.ok(pages.every(({ events }) => events.every(({ before, now }) => now.hash === `x${before.hash}`)))
  })

  it('a cursor of nothing begins anew', async () => {
    const { events } = await groupingTrial(harness.deps, shop, group, RULES, "1' OR 1=1")
    assert.equal(events.length, TRIAL_PAGE)
  })

  it('leaves out what cannot be read', async () => {
    const { events } = await groupingTrial(harness.deps, shop, () => undefined, RULES)
    assert.equal(events.length, 0)
  })
})
