/** Detectors of performance issues by the API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

const PATH = '/api/0/projects/acme/shop/performance-issues/configure/'

describe('detectors of a project', () => {
  let harness: Harness
  let cookies: Readonly<Record<'admin' | 'member' | 'stranger', string>>
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.project('globex', 'mill')
    await harness.user('acme', 'ada@acme.test', 'admin')
    await harness.user('acme', 'grace@acme.test', 'member')
    await harness.user('globex', 'eve@globex.test', 'owner')
    cookies = {
      admin: await harness.signIn('ada@acme.test'),
      member: await harness.signIn('grace@acme.test'),
      stranger: await harness.signIn('eve@globex.test'),
    }
  })
  after(() => harness.close())

  const ask = async (method: 'GET' | 'PUT', body?: object, as: keyof typeof cookies = 'admin') => {
    const answer = await harness.fetch(PATH, {
      method,
      headers: { cookie: cookies[as], origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const found = (await answer.json()) as Record<string, { enabled: boolean; thresholds: object }>
    return { status: answer.status, body: found }
  }

  it('are read with their thresholds, and changed in part', async () => {
    const { body } = await ask('GET')
    assert.deepEqual(body['performance_n_plus_one_db_queries']?.thresholds, {
      min_count: 5,
      min_total_ms: 50,
    })
    const change = { performance_n_plus_one_db_queries: { thresholds: { min_count: 9 } } }
    const put = await ask('PUT', { ...change, performance_slow_db_query: { enabled: false } })
    assert.equal(put.status, 200)
    assert.deepEqual(put.body['performance_n_plus_one_db_queries']?.thresholds, {
      min_count: 9,
      min_total_ms: 50,
    })
    assert.equal(put.body['performance_slow_db_query']?.enabled, false)
  })

  it('that make no sense are refused beside their names, and so are people who may not', async () => {
    const refused = await ask('PUT', { performance_slow_db_query: { thresholds: { min_duration_ms: '5' } } })
    assert.equal(refused.status, 400)
    assert.ok('performance_slow_db_query.min_duration_ms' in refused.body)
    assert.equal((await ask('PUT', { performance_slow_db_query: 7 })).status, 400)
    assert.equal((await ask('PUT', {}, 'member')).status, 403)
    assert.equal((await ask('GET', undefined, 'stranger')).status, 404)
  })
})
