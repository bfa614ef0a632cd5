/** The transactions of the last day that a preview of detectors looks at, on the real engine. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pageDataWaits, segmentSample } from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { spanIdOf, traceFixture } from '../trace-fixture.ts'

describe('a sample of transactions', () => {
  let harness: Harness
  let shop: ProjectGrant
  const fixtureOf = () => traceFixture(harness, 'a'.repeat(32), shop.projectId)
  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    const fixture = fixtureOf()
    await fixture.spans([
      { spanId: spanIdOf(1), segmentId: spanIdOf(1), isSegment: true, op: 'http.server' },
      {
        spanId: spanIdOf(2),
        segmentId: spanIdOf(1),
        parentSpanId: spanIdOf(1),
        attributes: { 'http.response.body.size': 7, secret: 'x' },
      },
      { spanId: spanIdOf(3), segmentId: spanIdOf(3), isSegment: true, op: 'http.server' },
      { spanId: spanIdOf(4), startMs: NOW_MS - 48 * 60 * MINUTE_MS, segmentId: spanIdOf(1) },
    ])
    await fixture.navigations([{ dataMs: 1200 }, { navigationId: spanIdOf(0xbb), dataMs: 20 }])
  })
  after(() => harness.close())

  it('holds whole transactions of a day, with the attributes that detectors read alone', async () => {
    const { segments, total } = await segmentSample(harness.deps, shop)
    assert.equal(total, 2)
    const sizes = segments.map((spans) => spans.length).toSorted((a, b) => a - b)
    assert.deepEqual(sizes, [1, 2])
    const query = segments.flat().find(({ spanId }) => spanId === spanIdOf(2))
    assert.deepEqual(query?.attributes, { 'http.response.body.size': 7 })
  })

  it('navigations are counted by how long they waited for page data', async () => {
    await fixtureOf().navigations([
      { navigationId: spanIdOf(0xcc), outcome: 'pending', isFinal: false, durationMs: 5000 },
      { navigationId: spanIdOf(0xcd), outcome: 'left', isFinal: false, durationMs: 900 },
    ])
    const waits = await pageDataWaits(harness.deps, shop, { slowMs: 1000, hungMs: 5000 })
    assert.deepEqual(waits, { total: 4, slow: 1, hung: 1 })
  })
})
