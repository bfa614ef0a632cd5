import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

type Body = {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly dataset: string; readonly fields: Readonly<Record<string, string>> }
  readonly detail: string
}

describe('logs over the public API', () => {
  let harness: Harness
  let headers: Record<string, string>
  let projectId: number
  const get = async (query: string, org = 'acme') => {
    const path = `/api/0/organizations/${org}/events/?dataset=ourlogs&statsPeriod=1h&${query}`
    const response = await harness.fetch(path, { headers })
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
    const time = (agoMs: number) => new Date(NOW_MS - agoMs).toISOString().slice(0, -1).replace('T', ' ')
    const lines = [
      { project_id: shop.id, severity: 'error', body: 'stock is empty', numbers: { 'order.id': 17 } },
      { project_id: shop.id, severity: 'info', body: 'order 17 placed', trace_id: 'a'.repeat(32) },
      { project_id: shop.id, severity: 'info', body: 'order 18 placed', strings: { region: 'eu' } },
      { project_id: rival.id, severity: 'info', body: 'theirs' },
    ].map((line, at) => ({
      ...line,
      sample_rate: 1,
      row_index: at,
      timestamp: time(60_000 * (at + 1)),
      received: time(0),
    }))
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    await harness.telemetry.command(`INSERT INTO logs FORMAT JSONEachRow ${text}`)
  })
  after(() => harness.close())

  it('come with the fields that were asked for, the newest first', async () => {
    const { status, body } = await get(
      'field=severity&field=message&field=trace&field=region&field=timestamp',
    )
    assert.equal(status, 200)
    assert.equal(body.meta.dataset, 'ourlogs')
    assert.equal(body.meta.fields['timestamp'], 'date')
    assert.deepEqual(
      body.data.map(({ severity, message, region }) => [severity, message, region]),
      [
        ['error', 'stock is empty', ''],
        ['info', 'order 17 placed', ''],
        ['info', 'order 18 placed', 'eu'],
      ],
    )
    assert.equal(body.data[1]?.['trace'], 'a'.repeat(32))
    assert.equal(body.data[0]?.['timestamp'], new Date(NOW_MS - 60_000).toISOString())
  })

  it('are narrowed by a search and a project, and sorted', async () => {
    const found = async (query: string) =>
      (await get(`field=message&${query}`)).body.data.map((row) => row['message'])
    assert.deepEqual(await found('query=placed&sort=timestamp&field=timestamp'), [
      'order 18 placed',
      'order 17 placed',
    ])
    assert.deepEqual(await found('query=order.id%3A%3E16'), ['stock is empty'])
    assert.deepEqual(await found(`query=severity%3Ainfo&project=${projectId + 100}`), [])
  })

  it('are counted by group, and nothing else is computed of them', async () => {
    const { body } = await get('field=severity&field=count(message)&sort=-count(message)')
    assert.deepEqual(body.data, [
      { severity: 'info', 'count(message)': 2 },
      { severity: 'error', 'count(message)': 1 },
    ])
    const refused = await get('field=p95(span.duration)')
    assert.equal(refused.status, 400)
    assert.match(refused.body.detail, /count\(\), epm\(\) and eps\(\)/)
  })

  it('are given page by page, each line with an id of its own', async () => {
    const first = await get('per_page=2')
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.link)?.[1] ?? ''
    const second = await get(`per_page=2&cursor=${cursor}`)
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id)
    assert.deepEqual([ids.length, new Set(ids).size], [3, 3])
  })

  it('of another organization are not there', async () => {
    const { status } = await get('field=message', 'rival')
    assert.ok(status === 403 || status === 404)
  })
})
