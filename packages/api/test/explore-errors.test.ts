import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

describe('errors as a table and over time', () => {
  let harness: Harness
  let headers: Record<string, string>
  let issueId: number
  const ask = async (path: string, query: string) => {
    const answer = await harness.fetch(`/api/0/organizations/acme/${path}/?${query}`, { headers })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const rows = async (query: string): Promise<unknown> => {
    const { status, body } = await ask('events', query)
    assert.equal(status, 200, JSON.stringify(body))
    return body['data']
  }

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const rival = await harness.project('rival', 'secret')
    const at = (agoMs: number): number => NOW_MS - agoMs
    ;({ issueId } = await harness.issue(shop.id, { title: 'TypeError: a' }, [
      { timestampMs: at(90 * 60_000), environment: 'production', userKey: 'id:1', tags: { plan: 'free' } },
      { timestampMs: at(60_000), environment: 'production', userKey: 'id:2', tags: { plan: 'paid' } },
      { timestampMs: at(50_000), environment: 'staging', userKey: 'id:2', tags: { plan: 'paid' } },
    ]))
    await harness.issue(shop.id, { title: 'Error: b' }, [{ timestampMs: at(40_000) }])
    await harness.issue(shop.id, { title: 'It is ugly' }, [{ timestampMs: at(30_000), type: 'feedback' }])
    await harness.issue(shop.id, { title: 'Slow' }, [
      { timestampMs: at(30_000), type: 'performance_n_plus_one' },
    ])
    await harness.issue(rival.id, { title: 'theirs' }, [{ timestampMs: at(30_000) }])
    // Events like the second one that were counted and not stored.
    await harness.telemetry.command(
      `ALTER TABLE events UPDATE left_out = 9 WHERE event_id = '${'2'.padStart(32, '0')}' SETTINGS mutations_sync = 1`,
    )
    headers = { authorization: `Bearer ${await harness.token(['event:read'], 'acme')}` }
  })
  after(() => harness.close())

  it('groups count what was thinned too; no dataset is this one', async () => {
    const query = 'field=title&field=count()&field=count_unique(user)&field=last_seen()&sort=-count()'
    const expected = [
      {
        title: 'TypeError: a',
        'count()': 12,
        'count_unique(user)': 2,
        'last_seen()': new Date(NOW_MS - 50_000).toISOString(),
      },
      {
        title: 'Error: b',
        'count()': 1,
        'count_unique(user)': 0,
        'last_seen()': new Date(NOW_MS - 40_000).toISOString(),
      },
    ]
    assert.deepEqual(await rows(query), expected)
    for (const name of ['errors', 'discover'])
      assert.deepEqual(await rows(`${query}&dataset=${name}`), expected)
    const { body } = await ask('events', query)
    assert.equal((body['meta'] as { dataset: string }).dataset, 'errors')
  })

  it('single events with tags, project and issue, the newest first', async () => {
    assert.deepEqual(
      await rows(
        'field=plan&field=project&field=issue.id&field=environment&query=title:TypeError*&per_page=2',
      ),
      [
        { plan: 'paid', project: 'shop', 'issue.id': issueId, environment: 'staging' },
        { plan: 'paid', project: 'shop', 'issue.id': issueId, environment: 'production' },
      ],
    )
    assert.deepEqual(await rows('field=count()&query=plan:free'), [{ 'count()': 1 }])
    assert.deepEqual(await rows('field=count()&query=tags[plan]:paid !environment:staging'), [
      { 'count()': 10 },
    ])
    assert.deepEqual(await rows('field=count()&environment=staging'), [{ 'count()': 1 }])
  })

  it('over time, of all and of the largest groups', async () => {
    const range = 'statsPeriod=2h&interval=1h&yAxis=count()'
    const { body } = await ask('events-stats', range)
    const counts = (body['data'] as [number, [{ count: number }]][]).map(([, [{ count }]]) => count)
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      13,
    )
    const grouped = await ask('events-stats', `${range}&topEvents=1&field=title&field=count()&excludeOther=1`)
    assert.deepEqual(Object.keys(grouped.body), ['TypeError: a'])
  })

  it('says what events do not have', async () => {
    for (const query of [
      'field=p95(span.duration)',
      'field=failure_rate()',
      'field=count()&query=is:unresolved',
      'field=title&country=DE',
      "field=a'b",
      "field=count()&query=has:it's",
      'field=sum(issue.id)',
    ])
      assert.equal((await ask('events', query)).status, 400, query)
  })
})
