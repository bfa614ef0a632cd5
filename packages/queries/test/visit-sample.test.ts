import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { vitalBreakdown, vitalCauses, vitalParts, vitalSamples } from '@sonde/queries'
import fc from 'fast-check'
import { visitSample } from '../src/performance/vital-conditions.ts'
import { type Harness, openHarness, type ProjectGrant } from './harness.ts'
import { vitalRows, WINDOW } from './vital-rows.ts'

const VISITS = 4000
/** As SDKs make them: half of all digits, half cut out of a UUID, which begins with 8, 9, a or b. */
function pageId(n: number): string {
  const hex = createHash('sha256').update(`${n}`).digest('hex').slice(0, 16)
  return n % 2 === 0 ? hex : `${'89ab'[(n >> 1) % 4]}${hex.slice(1)}`
}

describe('a sample of visits', () => {
  let harness: Harness
  let shop: ProjectGrant

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    const prefix = 'browser.web_vital.inp.'
    await vitalRows(harness)(
      shop.projectId,
      Array.from({ length: VISITS }, (_, n) => ({
        name: 'inp',
        pageId: pageId(n),
        value: 100 + (n % 400),
        element: n % 4 === 0 ? '#rare' : '#often',
        device: n % 10 === 0 ? 'mobile' : 'desktop',
        attribution: {
          [`${prefix}input_delay`]: (100 + (n % 400)) / 4,
          [`${prefix}processing_duration`]: (100 + (n % 400)) / 2,
          [`${prefix}presentation_delay`]: (100 + (n % 400)) / 4,
        },
      })),
    )
  })
  after(() => harness.close())

  it('is all of them when they are few, or their number is not known', () => {
    assert.deepEqual(visitSample(100, 100), { sql: '', share: 1 })
    assert.deepEqual(visitSample(undefined, 100), { sql: '', share: 1 })
    assert.ok(visitSample(1e12, 1).share > 0)
  })

  it('is two ranges, which together have as much of the ids as it says, whatever is wanted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e7 }), fc.integer({ min: 1, max: 1e5 }), (visits, wanted) => {
        const { sql, share } = visitSample(visits, wanted)
        const bounds = [...sql.matchAll(/'([0-9a-f]+)'/g)].map(([, hex = '']) =>
          Number.parseInt(hex.padEnd(4, '0'), 16),
        )
        if (share === 1) return assert.equal(sql, '')
        assert.ok(share >= Math.min(1, wanted / visits) && share < wanted / visits + 1e-3)
        const [uuidFrom = 0, uuidTo = 0, from = 0, to = 0] = bounds
        assert.equal(bounds.length, 4)
        assert.equal((uuidTo - uuidFrom) / 0x4000, share)
        assert.equal((uuidTo - uuidFrom + to - from) / 0x10000, share)
        assert.ok(uuidFrom === 0x8000 && uuidTo <= 0xc000 && from === 0 && to <= 0x8000)
      }),
    )
  })

  for (const wanted of [2000, 800, 240])
    it(`has its share of ids of both kinds, ${wanted} of ${VISITS}`, () => hasItsShare(wanted))

  async function hasItsShare(wanted: number): Promise<void> {
    const { sql, share } = visitSample(VISITS, wanted)
    const rows = await harness.telemetry.query<{ pageId: string }>(
      `SELECT page_id AS pageId FROM vitals FINAL WHERE name = 'inp' ${sql}`,
    )
    const ids = new Set(rows.map((row) => row.pageId))
    for (const kind of [0, 1]) {
      const own = Array.from({ length: VISITS / 2 }, (_, n) => pageId(2 * n + kind))
      const part = own.filter((id) => ids.has(id)).length / own.length
      const error = Math.sqrt((share * (1 - share)) / own.length)
      assert.ok(Math.abs(part - share) < 4 * error, `kind ${kind}: ${part} instead of ${share}`)
    }
  }

  it('reads ranges of the ordering key', async () => {
    const { sql } = visitSample(1e6, 20_000)
    const [plan] = await harness.telemetry.query<{ text: string }>(
      `SELECT arrayStringConcat(groupArray(explain), '\\n') AS text FROM (EXPLAIN indexes = 1, distributed = 1
       SELECT count() FROM vitals WHERE project_id = ${shop.projectId} AND name = 'inp' ${sql})`,
    )
    assert.match(plan?.text ?? '', /PrimaryKey[\s\S]*page_id/)
  })

  it('of very many visits tells what all of them tell, counted up', async () => {
    // As if there were so many that a quarter, an eighth or a tenth of them is read.
    const asked = { ...WINDOW, name: 'inp', visits: 200_000 } as const
    const { elements } = await vitalCauses(harness.deps, shop, asked)
    const often = elements.find(({ element }) => element === '#often')
    assert.ok(Math.abs((often?.count ?? 0) - 3000) < 400, `${often?.count} of 3,000`)
    assert.ok((often?.samples ?? 0) < 1000, 'a quarter was read')
    const { device } = await vitalBreakdown(harness.deps, shop, { ...asked, visits: 400_000 })
    assert.ok(Math.abs((device[0]?.count ?? 0) - 3600) < 400, `${device[0]?.count} of 3,600`)
    const parts = await vitalParts(harness.deps, shop, asked)
    const ms = parts?.parts.map((part) => part.ms) ?? []
    assert.ok(Math.abs((ms[1] ?? 0) - 200) < 12, `${ms[1]} of 200`)
    const samples = await vitalSamples(harness.deps, shop, { ...asked, set: 'typical' })
    const middle = samples.find(({ percentile }) => percentile === 75)
    assert.ok(Math.abs((middle?.value ?? 0) - 400) < 40, `${middle?.value} at the 75th`)
  })
})
