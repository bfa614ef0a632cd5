import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRelease } from '@sonde/commands'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from './harness.ts'

const HOUR_MS = 3_600_000
const EVENT = 'e'.repeat(32)
const SEEN = { environment: 'production', userKey: 'email:ann@acme.test', eventId: EVENT }

describe('what clients of the public API look up', () => {
  let harness: Harness
  let shop: { readonly id: number; readonly publicKey: string }
  let issueId: number
  const tokens = new Map<string, string>()

  before(async () => {
    harness = await openHarness()
    const made = await harness.project('acme', 'shop')
    const other = await harness.project('acme', 'other')
    const rival = await harness.project('rival', 'secret')
    const keys = await harness.db
      .selectFrom('project_key')
      .select(['project_id', 'public_key', 'id'])
      .execute()
    const key = keys.find((each) => each.project_id === made.id)
    assert.ok(key)
    shop = { id: made.id, publicKey: key.public_key }
    ;({ issueId } = await harness.issue(made.id, {}, [SEEN, { environment: 'staging', userKey: 'id:7' }]))
    await harness.issue(rival.id, {}, [{ environment: 'theirs', userKey: 'id:9', eventId: 'd'.repeat(32) }])
    await harness.user('acme', 'ann@acme.test', 'member')
    for (const scope of ['org:read', 'project:read', 'project:write', 'event:read', 'member:read'])
      tokens.set(scope, await harness.token([scope], 'acme'))
    tokens.set(
      'rival',
      await harness.token(['org:read', 'project:write', 'event:read', 'member:read'], 'rival'),
    )
    const minute = (agoMs: number): string =>
      new Date(NOW_MS - agoMs).toISOString().slice(0, 16).replace('T', ' ') + ':00'
    const line = (more: object): string =>
      JSON.stringify({
        project_id: made.id,
        key_id: key.id,
        category: 'error',
        outcome: 'accepted',
        reason: '',
        quantity: 1,
        minute: minute(90 * 60_000),
        ...more,
      })
    await harness.telemetry.command(
      `INSERT INTO outcomes FORMAT JSONEachRow ${[
        line({ quantity: 5 }),
        line({ category: 'default', quantity: 2 }),
        line({ category: 'default', minute: minute(5 * 60_000), quantity: 3 }),
        line({ category: 'transaction', quantity: 11 }),
        line({ outcome: 'filtered', reason: 'localhost', quantity: 4 }),
        line({ outcome: 'client_discard', reason: 'before_send', quantity: 100 }),
        line({ project_id: other.id, key_id: 0, quantity: 20 }),
        line({ project_id: rival.id, key_id: 0, quantity: 1_000 }),
      ].join('\n')}`,
    )
  })
  after(() => harness.close())

  const ask = (path: string, scope: string, init: RequestInit = {}): Promise<Response> =>
    harness.fetch(`/api/0/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tokens.get(scope) ?? ''}` },
    })
  const read = async <T>(path: string, scope: string): Promise<T> => {
    const answer = await ask(path, scope)
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return (await answer.json()) as T
  }

  const TABLE = `
    event:read   organizations/acme/eventids/${EVENT}/
    event:read   organizations/acme/shortids/SHOP-1/
    event:read   projects/acme/shop/users/
    event:read   organizations/acme/trace-items/attributes/
    event:read   organizations/acme/trace-meta/${'a'.repeat(32)}/ 404
    project:read organizations/acme/environments/
    project:read projects/acme/shop/environments/
    project:read projects/acme/shop/environments/production/
    project:read organizations/acme/project-keys/
    project:read projects/acme/shop/keys/KEY/stats/
    project:read projects/acme/shop/stats/
    project:read projects/acme/shop/filters/
    project:read organizations/acme/releases/9/commitfiles/ 404
    org:read     organizations/acme/stats_v2/?field=sum(quantity)
    org:read     organizations/acme/stats-summary/
    member:read  organizations/acme/user-teams/`
  for (const line of TABLE.trim().split('\n')) {
    const [scope = '', path = '', status = '200'] = line.trim().split(/\s+/)
    it(`GET ${path} with ${scope}, and not without`, async () => {
      const named = path.replace('KEY', shop.publicKey)
      assert.equal((await ask(named, scope)).status, Number(status))
      const none = scope === 'member:read' ? 'event:read' : 'member:read'
      assert.equal((await ask(named, none)).status, 403)
      // Another organization's token opens nothing here.
      assert.equal((await ask(named, 'rival')).status, 403)
      assert.equal((await harness.fetch(`/api/0/${named}`)).status, 401)
    })
  }

  it('an event by its id alone, an issue by its short one', async () => {
    const event = await read<Record<string, unknown>>(`organizations/acme/eventids/${EVENT}/`, 'event:read')
    assert.deepEqual(
      [event['organizationSlug'], event['projectSlug'], event['groupId'], event['eventId']],
      ['acme', 'shop', String(issueId), EVENT],
    )
    const issue = await read<{ groupId: string; shortId: string; group: { id: string } }>(
      'organizations/acme/shortids/shop-1/',
      'event:read',
    )
    assert.deepEqual(
      [issue.groupId, issue.shortId, issue.group.id],
      [String(issueId), 'SHOP-1', String(issueId)],
    )
    for (const path of [
      `eventids/${'d'.repeat(32)}/`,
      'eventids/x/',
      'shortids/SECRET-1/',
      `shortids/${issueId}/`,
    ])
      assert.equal((await ask(`organizations/acme/${path}`, 'event:read')).status, 404, path)
  })

  it('environments and users that events named', async () => {
    const names = async (path: string): Promise<string[]> =>
      (await read<{ name: string }[]>(path, 'project:read')).map(({ name }) => name)
    assert.deepEqual(await names('organizations/acme/environments/'), ['production', 'staging'])
    assert.deepEqual(await names('projects/acme/other/environments/'), [])
    assert.equal((await ask('projects/acme/shop/environments/theirs/', 'project:read')).status, 404)
    const users = await read<Record<string, unknown>[]>('projects/acme/shop/users/?query=ANN', 'event:read')
    assert.deepEqual(
      users.map(({ tagValue, email, identifier }) => [tagValue, email, identifier]),
      [['email:ann@acme.test', 'ann@acme.test', null]],
    )
  })

  it('keys of all projects, a page at a time', async () => {
    const answer = await ask('organizations/acme/project-keys/?per_page=1', 'project:read')
    const keys = (await answer.json()) as { public: string; projectId: number }[]
    assert.equal(keys.length, 1)
    assert.match(answer.headers.get('link') ?? '', /rel="next"; results="true"/)
    assert.deepEqual(await read('organizations/acme/project-keys/?status=inactive', 'project:read'), [])
  })

  type Stats = {
    start: string
    intervals: string[]
    groups: { by: object; totals: Record<string, number>; series: Record<string, number[]> }[]
  }
  const stats = (query: string): Promise<Stats> =>
    read<Stats>(`organizations/acme/stats_v2/?field=sum(quantity)&${query}`, 'org:read')

  it('what was received, by what became of it', async () => {
    const all = await stats('statsPeriod=3h&interval=1h&category=error&groupBy=outcome')
    assert.equal(all.start, '2026-01-31T09:00:00.000000Z')
    assert.equal(all.intervals.length, 3)
    assert.deepEqual(
      all.groups.map(({ by, totals, series }) => [by, totals['sum(quantity)'], series['sum(quantity)']]),
      [
        [{ outcome: 'client_discard' }, 100, [0, 100, 0]],
        [{ outcome: 'accepted' }, 30, [0, 27, 3]],
        [{ outcome: 'filtered' }, 4, [0, 4, 0]],
      ],
    )
    const narrowed = await stats(`project=${shop.id}&groupBy=category&groupBy=reason&outcome=filtered`)
    assert.deepEqual(
      narrowed.groups.map(({ by }) => by),
      [{ category: 'error', reason: 'localhost' }],
    )
    const nothing = await stats('category=replay')
    assert.deepEqual(
      nothing.groups.map(({ totals }) => totals),
      [{ 'sum(quantity)': 0 }],
    )
    assert.equal((await stats('groupBy=project&category=transaction')).groups.length, 1)
  })

  it('refuses what it cannot count by', async () => {
    for (const query of [
      '',
      'field=count()',
      'field=sum(quantity)&groupBy=user',
      'field=sum(quantity)&interval=x',
      'field=sum(quantity)&interval=1m&statsPeriod=90d',
      'field=sum(quantity)&start=2026-01-02T00:00:00&end=2026-01-01T00:00:00',
    ])
      assert.equal((await ask(`organizations/acme/stats_v2/?${query}`, 'org:read')).status, 400, query)
    assert.equal((await ask('projects/acme/shop/stats/?since=10&until=5', 'project:read')).status, 400)
  })

  it('the same by project, and the older counts of a project and of a key', async () => {
    const summary = await read<{ projects: { slug: string; stats: object[] }[] }>(
      `organizations/acme/stats-summary/?project=${shop.id}`,
      'org:read',
    )
    assert.deepEqual(summary.projects, [
      {
        id: String(shop.id),
        slug: 'shop',
        stats: [
          {
            category: 'error',
            outcomes: { client_discard: 100, accepted: 5, filtered: 4 },
            totals: { dropped: 104, 'sum(quantity)': 109 },
          },
          {
            category: 'transaction',
            outcomes: { accepted: 11 },
            totals: { dropped: 0, 'sum(quantity)': 11 },
          },
          { category: 'default', outcomes: { accepted: 5 }, totals: { dropped: 0, 'sum(quantity)': 5 } },
        ],
      },
    ])
    const since = (NOW_MS - 3 * HOUR_MS) / 1000
    const counts = await read<number[][]>(`projects/acme/shop/stats/?since=${since}`, 'project:read')
    assert.deepEqual(
      counts.map(([, count]) => count),
      [0, 11, 3],
    )
    const path = `projects/acme/shop/keys/${shop.publicKey}/stats/?since=${since}`
    const [, second] = await read<Record<string, number>[]>(path, 'project:read')
    assert.deepEqual(second, { ts: since + 3600, total: 11, accepted: 7, filtered: 4, dropped: 0 })
  })

  it('who asks: a person, not a token of an organization', async () => {
    const headers = { cookie: await harness.signIn('ann@acme.test'), origin: PUBLIC_URL }
    const me = (await (await harness.fetch('/api/0/auth/', { headers })).json()) as { email: string }
    assert.equal(me.email, 'ann@acme.test')
    assert.equal((await ask('users/me/', 'org:read')).status, 404)
  })

  it('filters are switched by their names', async () => {
    const list = () => read<{ id: string; active: boolean }[]>('projects/acme/shop/filters/', 'project:read')
    const put = (filter: string, body: object, scope = 'project:write'): Promise<Response> =>
      ask(`projects/acme/shop/filters/${filter}/`, scope, { method: 'PUT', body: JSON.stringify(body) })
    assert.equal((await put('localhost', { active: true })).status, 204)
    assert.deepEqual(await list(), [
      { id: 'browser-extensions', active: false },
      { id: 'localhost', active: true },
      { id: 'web-crawlers', active: false },
    ])
    assert.equal((await put('legacy-browsers', { active: true })).status, 404)
    assert.equal((await put('localhost', { active: 'yes' })).status, 400)
    assert.equal((await put('localhost', { active: false }, 'project:read')).status, 403)
    assert.equal((await put('localhost', { active: false }, 'rival')).status, 403)
  })

  it('files that the commits of a release changed', async () => {
    const grant = await harness.access.openOrg({ kind: 'operator', name: 'cli' }, 'acme', 'release:write')
    await createRelease(harness.commands, grant, {
      version: 'shop@1',
      projects: ['shop'],
      commits: [
        {
          id: 'a'.repeat(40),
          message: 'fix',
          author_name: 'Ann',
          author_email: 'ann@acme.test',
          timestamp: '2026-01-30T00:00:00Z',
          repository: 'acme/shop',
          patch_set: [
            { path: 'b.ts', type: 'A' },
            { path: 'a.ts', type: 'M' },
          ],
        },
      ],
    })
    const files = await read<Record<string, unknown>[]>(
      'organizations/acme/releases/shop%401/commitfiles/',
      'project:read',
    )
    assert.deepEqual(
      files.map(({ filename, type, repoName }) => [filename, type, repoName]),
      [
        ['a.ts', 'M', 'acme/shop'],
        ['b.ts', 'A', 'acme/shop'],
      ],
    )
  })

  it('fields and attributes of spans and logs, by kind', async () => {
    const keys = async (query: string): Promise<string[]> =>
      (
        await read<{ key: string }[]>(`organizations/acme/trace-items/attributes/?${query}`, 'event:read')
      ).map(({ key }) => key)
    assert.deepEqual(await keys('attributeType=number&itemType=spans'), ['duration'])
    assert.ok((await keys('attributeType=string&itemType=logs')).length > 0)
    assert.deepEqual(await keys('substringMatch=relea'), ['release'])
  })
})
