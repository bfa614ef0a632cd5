import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { ensureProject, InvalidInput, updateAiPrices, updateDetectors } from '@sonde/commands'
import { projectSettings } from '@sonde/queries'
import { type Harness, openHarness } from './harness.ts'

describe('what a project sets about its spans', () => {
  let harness: Harness
  let owner: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    owner = await harness.viewer('acme', 'owner')
  })
  after(() => harness.close())

  const mayWrite = () => harness.access.openProject(owner, 'acme', 'shop', 'project:write')
  const settings = async () => projectSettings({ records: harness.db }, await mayWrite())
  const refused = async (attempt: Promise<void>) => {
    const error = await attempt.catch((reason: unknown) => reason)
    assert.ok(error instanceof InvalidInput)
    return error.fields
  }

  it('a detector that is left out stays as it was, and one as by default is not kept', async () => {
    await updateDetectors(harness.deps, await mayWrite(), {
      performance_slow_db_query: { isOn: false },
      performance_n_plus_one_db_queries: { thresholds: { min_count: 8, min_total_ms: 50 } },
    })
    await updateDetectors(harness.deps, await mayWrite(), { performance_slow_db_query: { isOn: true } })
    assert.deepEqual((await settings())?.detectors, {
      performance_n_plus_one_db_queries: { isOn: true, thresholds: { min_count: 8 } },
    })
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select('detail')
      .where('action', '=', 'project.detectors')
      .execute()
    assert.equal(audit.length, 2)
  })

  it('a threshold out of its range, one that is not there and an unknown detector change nothing', async () => {
    const before = await settings()
    const fields = await refused(
      updateDetectors(harness.deps, await mayWrite(), {
        performance_n_plus_one_db_queries: { thresholds: { min_count: 1, max: 2 } },
        performance_slow_db_query: { thresholds: { min_duration_ms: NaN } },
        __proto__x: { isOn: true },
      }),
    )
    assert.deepEqual(fields, {
      'performance_n_plus_one_db_queries.min_count': ['is a whole number from 2 to 1000'],
      'performance_n_plus_one_db_queries.max': ['is no threshold of this detector'],
      'performance_slow_db_query.min_duration_ms': ['is a whole number from 1 to 600000'],
      __proto__x: ['is no detector'],
    })
    assert.deepEqual(await settings(), before)
  })

  it('prices of models are lines; one that cannot be read says which', async () => {
    await updateAiPrices(harness.deps, await mayWrite(), { prices: 'small* 1 2\r\n\nlarge 3 4 0.5\n' })
    assert.deepEqual((await settings())?.aiPrices, [
      { model: 'small*', input: 1, output: 2 },
      { model: 'large', input: 3, output: 4, cached: 0.5 },
    ])
    const fields = await refused(
      updateAiPrices(harness.deps, await mayWrite(), { prices: 'small 1 2\nlarge 3' }),
    )
    assert.match(fields['prices']?.[0] ?? '', /^Line 2/)
  })
})
