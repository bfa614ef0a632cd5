import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

type Body = {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: unknown
  readonly detail: string
}

describe('spans over the public API', () => {
  let harness: Harness
  let headers: Record<string, string>
  let projectId: number
  const get = async (query: string, org = 'acme') => {
    const response = await harness.fetch(`/api/0/organizations/${org}/events/?${query}`, { headers })
    return {
      status: response.status,
      link: response.headers.get('link') ?? '',
      body: (await response.json()) as Body,
    }
  }

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const rival = await harness.project('rival', 'secret')
    projectId = shop.id
    headers = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
    const time = new Date(NOW_MS - 60_000).toISOString().slice(0, -1).replace('T', ' ')
    const span = (n: number, more: object) =>
      JSON.stringify({
        timestamp: time,
        received: time,
        op: 'db',
        name: `SELECT ${n}`,
        duration_ms: n,
        status: 'ok',
        sample_rate: 1,
        trace_id: 'a'.repeat(32),
        span_id: String(n).padStart(16, '0'),
        ...more,
      })
    const lines = [
      ...[1, 2, 3].map((n) => span(n, { project_id: shop.id, sample_rate: 0.5 })),
      span(4, { project_id: shop.id, op: 'http.client', status: 'internal_error', user_key: 'id:7' }),
      span(5, { project_id: rival.id, op: 'theirs' }),
    ]
    await harness.telemetry.command(`INSERT INTO spans FORMAT JSONEachRow ${lines.join('\n')}`)
  })
  after(() => harness.close())

  it('come in the shape of the events endpoint, with types and units', async () => {
    const { status, body } = await get(
      'dataset=spans&field=span.op&field=count()&field=p50(span.duration)&field=failure_rate()&field=epm()&sort=-count()&statsPeriod=1h',
    )
    assert.equal(status, 200)
    assert.deepEqual(body.meta, {
      dataset: 'spans',
      fields: {
        'span.op': 'string',
        'count()': 'integer',
        'p50(span.duration)': 'duration',
        'failure_rate()': 'percentage',
        'epm()': 'rate',
      },
      units: {
        'span.op': null,
        'count()': null,
        'p50(span.duration)': 'millisecond',
        'failure_rate()': null,
        'epm()': '1/minute',
      },
    })
    assert.deepEqual(body.data, [
      { 'span.op': 'db', 'count()': 6, 'p50(span.duration)': 2, 'failure_rate()': 0, 'epm()': 0.1 },
      {
        'span.op': 'http.client',
        'count()': 1,
        'p50(span.duration)': 4,
        'failure_rate()': 1,
        'epm()': 1 / 60,
      },
    ])
  })

  it('are single ones without a measure, in pages', async () => {
    const first = await get('dataset=spans&field=id&field=timestamp&field=project&sort=id&per_page=3')
    assert.deepEqual(first.body.data[0], {
      id: '0000000000000001',
      timestamp: new Date(NOW_MS - 60_000).toISOString(),
      project: 'shop',
    })
    assert.equal(first.body.data.length, 3)
    assert.match(first.link, /rel="next"; results="true"; cursor="0:3:0"/)
    const second = await get('dataset=spans&field=id&sort=id&per_page=3&cursor=0:3:0')
    assert.deepEqual(second.body.data, [{ id: '0000000000000004' }])
    assert.match(second.link, /rel="next"; results="false"/)
    assert.match(second.link, /rel="previous"; results="true"/)
  })

  it('are narrowed by query, project and the columns of filters', async () => {
    const ops = async (query: string) =>
      (await get(`dataset=spans&field=span.op&field=count()&${query}`)).body.data.map((row) => row['span.op'])
    assert.deepEqual(await ops('query=span.duration:>=4ms'), ['http.client'])
    assert.deepEqual(await ops(`project=${projectId}&query=user.id:7`), ['http.client'])
    assert.deepEqual(await ops('project=shop&project=-1'), ['db', 'http.client'])
    assert.deepEqual(await ops('project=secret'), [])
    assert.deepEqual(await ops('project=999999'), [])
    assert.deepEqual(await ops('environment=nowhere'), [])
  })

  it('are refused in words', async () => {
    for (const [query, detail] of [
      ['dataset=issuePlatform', /dataset "issuePlatform"/],
      ['dataset=spans&field=nope()', /"nope\(\)" cannot be computed\. Known are count/],
      ['dataset=spans&field=id&sort=-count()', /cannot sort/],
      ['dataset=spans&query=span.duration:slow', /needs a duration.*500ms/],
      ['dataset=spans&statsPeriod=soon', /statsPeriod/],
      ['dataset=spans&cursor=x', /cursor/],
      ['dataset=spans&cursor=0:99999:0', /cursor/],
    ] as const) {
      const { status, body } = await get(query)
      assert.equal(status, 400, query)
      assert.match(body.detail, detail, query)
    }
    assert.equal((await get('dataset=spans', 'rival')).status, 403)
  })
})
