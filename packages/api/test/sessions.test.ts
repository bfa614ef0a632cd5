import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

type Body = {
  readonly start: string
  readonly end: string
  readonly intervals: readonly string[]
  readonly groups: readonly {
    readonly by: Readonly<Record<string, unknown>>
    readonly totals: Readonly<Record<string, number | null>>
    readonly series: Readonly<Record<string, readonly (number | null)[]>>
  }[]
  readonly detail: string
}

describe('release health over the public API', () => {
  let harness: Harness
  let headers: Record<string, string>
  let shop: number
  const get = async (query: string, org = 'acme') => {
    const response = await harness.fetch(`/api/0/organizations/${org}/sessions/?${query}`, { headers })
    return { status: response.status, body: (await response.json()) as Body }
  }

  before(async () => {
    harness = await openHarness()
    shop = (await harness.project('acme', 'shop')).id
    const api = await harness.project('acme', 'api')
    const rival = await harness.project('rival', 'secret')
    headers = { authorization: `Bearer ${await harness.token(['event:read', 'org:read'], 'acme')}` }
    const timeOf = (hoursAgo: number) =>
      new Date(NOW_MS - hoursAgo * 3_600_000 - 60_000).toISOString().slice(0, -1).replace('T', ' ')
    let last = 0
    const row = (projectId: number, more: object, hoursAgo = 0) =>
      JSON.stringify({
        project_id: projectId,
        received: timeOf(0),
        started: timeOf(hoursAgo),
        session_id: String(++last).padStart(32, '0'),
        release: 'shop@1',
        environment: 'production',
        version: last,
        ...more,
      })
    const lines = [
      row(shop, { healthy: 97, crashed: 2, errored: 1 }),
      row(shop, { healthy: 1, user_hash: 'ada' }, 2),
      row(shop, { crashed: 1, user_hash: 'bob', release: 'shop@2', environment: 'staging' }, 2),
      row(api.id, { abnormal: 4, release: 'api@1' }),
      row(rival.id, { healthy: 5_000, user_hash: 'eve' }),
    ]
    await harness.telemetry.command(`INSERT INTO sessions FORMAT JSONEachRow ${lines.join('\n')}`)
  })
  after(() => harness.close())

  it('is answered in the documented shape, of all projects and in steps', async () => {
    const { status, body } = await get(
      'field=sum(session)&field=crash_free_rate(session)&field=count_unique(user)&statsPeriod=3h&interval=1h',
    )
    assert.equal(status, 200)
    const [group] = body.groups
    assert.deepEqual(body.intervals.length, 3)
    assert.deepEqual([body.start, body.end], ['2026-01-31T09:00:00.000000Z', '2026-01-31T12:00:00.000000Z'])
    assert.deepEqual(group?.by, {})
    assert.deepEqual(group.totals, {
      'sum(session)': 106,
      'crash_free_rate(session)': 103 / 106,
      'count_unique(user)': 2,
    })
    assert.deepEqual(group.series, {
      'sum(session)': [2, 0, 104],
      'crash_free_rate(session)': [0.5, null, 102 / 104],
      'count_unique(user)': [2, 0, 0],
    })
  })

  it('is grouped by release, environment, project and status, the most sessions first', async () => {
    const { body } = await get(
      'field=sum(session)&field=crash_rate(user)&groupBy=release&groupBy=environment&groupBy=project&statsPeriod=1d&interval=1d',
    )
    assert.deepEqual(
      body.groups.map(({ by, totals }) => [
        by['release'],
        by['environment'],
        by['project'] === shop,
        totals['sum(session)'],
        totals['crash_rate(user)'],
      ]),
      [
        ['shop@1', 'production', true, 101, 0],
        ['api@1', 'production', false, 4, null],
        ['shop@2', 'staging', true, 1, 1],
      ],
    )
    const byStatus = await get(
      `field=sum(session)&field=crash_free_rate(session)&groupBy=session.status&project=${shop}&statsPeriod=1d&interval=1d`,
    )
    assert.deepEqual(
      byStatus.body.groups.map(({ by, totals }) => [by['session.status'], totals['sum(session)']]),
      [
        ['healthy', 98],
        ['errored', 1],
        ['unhandled', 0],
        ['abnormal', 0],
        ['crashed', 3],
      ],
    )
    assert.equal(byStatus.body.groups[0]?.totals['crash_free_rate(session)'], null)
  })

  it('is narrowed by environment and by a search for releases', async () => {
    const sumOf = async (query: string) =>
      (await get(`field=sum(session)&statsPeriod=1d&interval=1d&${query}`)).body.groups[0]?.totals[
        'sum(session)'
      ]
    assert.equal(await sumOf('environment=staging'), 1)
    assert.equal(await sumOf(`query=${encodeURIComponent('release:[shop@1, api@1]')}`), 105)
    assert.equal(await sumOf('query=release:shop@2&environment=production'), 0)
    assert.equal(await sumOf('query=environment:staging&environment=production'), 0)
  })

  for (const [query, wanted] of [
    ['', 'field is one of'],
    ['field=p50(session.duration)', 'is not known'],
    ['field=sum(session)&groupBy=browser', 'is not known'],
    ['field=sum(session)&interval=7h', 'has to divide one day'],
    ['field=sum(session)&interval=1s', 'has to divide one day'],
    ['field=sum(session)&interval=1m&statsPeriod=90d', 'longer interval'],
    ['field=sum(session)&query=browser:x', 'are narrowed by'],
  ])
    it(`refuses "${query}" with what to write instead`, async () => {
      const { status, body } = await get(query ?? '')
      assert.equal(status, 400)
      assert.ok(body.detail.includes(wanted ?? '?'), body.detail)
    })

  it('a release says for each of its projects whether there are any', async () => {
    const authorization = `Bearer ${await harness.token(['org:ci'], 'acme')}`
    const response = await harness.fetch('/api/0/organizations/acme/releases/', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 'shop@1', projects: ['shop', 'api'] }),
    })
    const { projects } = (await response.json()) as {
      readonly projects: readonly { readonly slug: string; readonly hasHealthData: boolean }[]
    }
    assert.deepEqual(
      projects.map(({ slug, hasHealthData }) => [slug, hasHealthData]),
      [
        ['api', false],
        ['shop', true],
      ],
    )
  })

  it('of another organization is not there', async () => {
    assert.equal((await get('field=sum(session)', 'rival')).status, 403)
  })
})
