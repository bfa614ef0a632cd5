/** Whatever is deleted is in no answer of the API, and each answer is as before once it is restored. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { startMoves } from '@sonde/pipeline'
import { purgeIssues, writeTransaction } from '@sonde/stores'
import { type Harness, openHarness, PUBLIC_URL } from './harness.ts'

type Line = {
  readonly id: string
  readonly kind: string
  readonly slug: string
  readonly count: number
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly deletedBy: string
}

const ANNA = 'anna-4711'
const GONE = 'SecretFailure: of the basket'
const LIST = '/organizations/acme/recently-deleted/'

describe('what was deleted, by the API', () => {
  let harness: Harness
  let cookie: string
  let issueId: number
  let eventId: string
  before(async () => {
    harness = await openHarness()
    const { id: shop } = await harness.project('acme', 'shop')
    await harness.project('acme', 'site')
    await harness.user('acme', 'owner@acme.test', 'owner')
    cookie = await harness.signIn('owner@acme.test')
    await harness.issue(shop, { title: 'Stays' }, [{ hashes: ['a'.repeat(32)], tags: { kind: 'stays' } }])
    const made = await harness.issue(
      shop,
      { title: GONE },
      [1, 2].map(() => ({
        hashes: ['b'.repeat(32)],
        tags: { kind: 'secret-basket' },
        userKey: `id:${ANNA}`,
      })),
    )
    issueId = made.issueId
    eventId = made.eventIds[0] ?? ''
    await harness.db
      .insertInto('issue_hash')
      .values({ project_id: shop, hash: 'b'.repeat(32), issue_id: issueId })
      .execute()
    await harness.db.updateTable('project').set({ issue_counter: 2 }).where('id', '=', shop).execute()
  })
  after(() => harness.close())

  const ask = async (
    method: string,
    path: string,
    sent?: object,
  ): Promise<{ status: number; text: string }> => {
    const headers = { cookie, origin: PUBLIC_URL, ...(sent && { 'content-type': 'application/json' }) }
    const body = sent && { body: JSON.stringify(sent) }
    const answer = await harness.fetch(`/api/0${path}`, { method, headers, ...body })
    const hits = answer.headers.get('x-hits') ?? ''
    return { status: answer.status, text: `${hits} ${await answer.text()}` }
  }
  const READS = (): readonly string[] => [
    '/organizations/acme/issues/?query=',
    '/organizations/acme/issues/?query=basket',
    '/organizations/acme/issues/?query=kind:secret-basket&sort=freq',
    '/projects/acme/shop/issues/?query=&sort=user',
    `/organizations/acme/issues/${issueId}/`,
    `/organizations/acme/issues/${issueId}/events/`,
    `/organizations/acme/issues/${issueId}/tags/`,
    `/projects/acme/shop/events/${eventId}/`,
    `/projects/acme/shop/events/${eventId}/json/`,
    '/projects/acme/shop/tags/',
    '/projects/acme/shop/tags/kind/values/',
    '/projects/acme/shop/',
    '/organizations/acme/projects/',
    '/organizations/acme/',
    '/projects/',
    '/organizations/acme/events-stats/?statsPeriod=90d&yAxis=count()&dataset=errors',
    '/organizations/acme/events/?statsPeriod=90d&field=title&field=count()&dataset=errors',
  ]
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(READS().map(async (path) => [path, await ask('GET', path)] as const)),
    )
  const lines = async (path = LIST): Promise<readonly Line[]> => {
    const { status, text } = await ask('GET', path)
    assert.equal(status, 200, text)
    return JSON.parse(text) as readonly Line[]
  }
  const restore = async (id: string): Promise<void> => {
    const { status, text } = await ask('POST', `/recently-deleted/${id}/restore/`)
    assert.equal(status, 200, text)
  }
  /** Kind → rows: as it is found, and as it is exported. It is stored, so whoever asks is told of it. */
  const isToldOfAnna = async (expected: Record<string, number>): Promise<void> => {
    const of = (does: string) => ask('POST', `/organizations/acme/personal-data/${does}/`, { id: ANNA })
    const { kinds } = JSON.parse((await of('find')).text) as {
      kinds: { kind: string; asUser: number }[]
    }
    assert.deepEqual(Object.fromEntries(kinds.map(({ kind, asUser }) => [kind, asUser])), expected)
    const exported = (await of('export')).text
    for (const [kind, rows] of Object.entries(expected))
      assert.equal(exported.split(`{"kind":"${kind}","row"`).length - 1, rows, kind)
  }
  const hides = async (words: readonly string[]): Promise<void> => {
    for (const [path, { text }] of Object.entries(await answers()))
      for (const word of words)
        assert.ok(!text.includes(word), `${path} tells of ${word}: ${text.slice(0, 500)}`)
  }

  it('issues: in none, and as before', async () => {
    const was = await answers()
    assert.ok(Object.values(was).filter(({ text }) => text.includes('basket')).length >= 8)
    assert.equal((await ask('DELETE', `/organizations/acme/issues/${issueId}/`)).status, 202)
    await hides(['SecretFailure', 'secret-basket'])
    await isToldOfAnna({ events: 2 })
    const [line, ...others] = await lines()
    assert.ok(line && others.length === 0)
    assert.deepEqual(
      [line.kind, line.slug, line.count, line.issues, line.deletedBy],
      ['issues', 'shop', 1, [{ shortId: 'SHOP-2', title: GONE }], 'owner'],
    )
    await restore(line.id)
    assert.deepEqual(await answers(), was)
    assert.deepEqual(await lines(), [])
    assert.equal((await ask('POST', `/recently-deleted/${line.id}/restore/`)).status, 404)
  })

  it('events: beside the others with their issue, and as before', async () => {
    const event = `/projects/acme/shop/events/${eventId}/`
    const was = await ask('GET', event)
    const job = startMoves({
      ...harness,
      records: harness.db,
      logger: silentLogger,
      pipeline: { state: () => ({ records: 0 }) },
    })
    Object.assign(harness.commands, { onMoves: () => job.wake() })
    const { status, text } = await ask('DELETE', event)
    assert.equal(status, 202, text)
    assert.equal((await ask('GET', event)).status, 404)
    await isToldOfAnna({ events: 1, deleted_events: 1 })
    const [line, ...others] = await lines()
    assert.ok(line && others.length === 0)
    assert.deepEqual(
      [line.kind, line.slug, line.count, line.issues, line.deletedBy],
      ['events', 'shop', 1, [{ shortId: 'SHOP-2', title: GONE }], 'owner'],
    )
    await restore(line.id)
    assert.deepEqual(await ask('GET', event), was)
    assert.deepEqual(await lines(), [])
    await job.stop()
  })

  it('projects: in none, and as before', async () => {
    const was = await answers()
    assert.ok([202, 204].includes((await ask('DELETE', '/projects/acme/shop/')).status))
    await hides(['SecretFailure', 'secret-basket', '"shop"'])
    await isToldOfAnna({ events: 2 })
    const [line] = await lines()
    assert.deepEqual([line?.kind, line?.slug], ['project', 'shop'])
    await restore(line?.id ?? '')
    assert.deepEqual(await answers(), was)
  })

  it('organizations: in none, found by its owner alone, and as before', async () => {
    const was = await answers()
    assert.equal((await ask('DELETE', '/organizations/acme/')).status, 202)
    await hides(['SecretFailure', 'secret-basket', '"shop"', '"site"'])
    assert.equal((await ask('GET', LIST)).status, 404)
    const [line] = await lines('/recently-deleted/')
    assert.deepEqual([line?.kind, line?.slug, line?.count], ['organization', 'acme', 2])
    await restore(line?.id ?? '')
    assert.deepEqual(await answers(), was)
  })

  it('for good: nobody has it back, and its rows go', async () => {
    await ask('DELETE', `/organizations/acme/issues/${issueId}/`)
    const [line] = await lines()
    for (const _ of [1, 2]) assert.equal((await ask('DELETE', `/recently-deleted/${line?.id}/`)).status, 202)
    assert.deepEqual(await lines(), [])
    assert.equal((await ask('POST', `/recently-deleted/${line?.id}/restore/`)).status, 404)
    await writeTransaction(harness.db, (tx) => purgeIssues(tx, Number(line?.id), 1))
    const left = await harness.db.selectFrom('issue').select('title').execute()
    assert.deepEqual(left, [{ title: 'Stays' }])
    for (const wrong of ['0', 'x', '1.5', '9'.repeat(16)])
      assert.equal((await ask('DELETE', `/recently-deleted/${wrong}/`)).status, 404, wrong)
  })

  it('in pages of 25, each with the address of the next', async () => {
    const shop = await harness.db
      .selectFrom('project')
      .select(['id', 'org_id'])
      .where('slug', '=', 'shop')
      .executeTakeFirstOrThrow()
    const line = {
      kind: 'events',
      org_id: shop.org_id,
      project_id: shop.id,
      actor: '',
      count: 1,
      deleted_ms: 1,
      purge_ms: Date.UTC(2100, 0),
    } as const
    const made = await harness.db
      .insertInto('recently_deleted')
      .values(Array.from({ length: 53 }, () => line))
      .returning('id')
      .execute()
    const pages: string[][] = []
    let next: string | undefined = `${PUBLIC_URL}/api/0${LIST}`
    while (next !== undefined) {
      const { pathname, search } = new URL(next)
      const answer = await harness.fetch(pathname + search, { headers: { cookie } })
      assert.equal(answer.status, 200)
      pages.push(((await answer.json()) as Line[]).map(({ id }) => id))
      next = /<([^>]+)>; rel="next"; results="true"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      [25, 25, 3],
    )
    assert.deepEqual(pages.flat(), made.map(({ id }) => String(id)).toReversed())
  })
})
