/** Merging, giving back, discarding, deleting and sharing in the words of Sentry's API: who may, what is refused, what is answered. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { setPublicLinks } from '@sonde/commands'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from './harness.ts'

type Hash = { id: string; hashes: string[]; count: number; mergedFrom: string | null }
type Issue = { id: string; shortId: string; count: string; isPublic: boolean; shareId: string | null }
type Merge = { merge: { parent: string; children: string[] }; undo: string }

const LIST = 'organizations/acme/issues/'
const NOWHERE = 999_999

describe('moves of issues by the API', () => {
  let harness: Harness
  let project: number
  /** Of two, one and one event, in a project of their own. */
  let ids: readonly number[]
  let projects = 0
  const cookies = new Map<string, string>()

  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'other')
    await harness.project('rival', 'shop')
    await harness.user('acme', 'admin@acme.test', 'admin')
    await harness.user('acme', 'member@acme.test', 'member')
    await harness.user('acme', 'viewer@acme.test', 'viewer')
    await harness.user('rival', 'owner@rival.test', 'owner')
    for (const email of ['admin@acme.test', 'member@acme.test', 'viewer@acme.test', 'owner@rival.test'])
      cookies.set(email.split('@')[0] ?? '', await harness.signIn(email))
  })
  after(() => harness.close())

  beforeEach(async () => {
    project = (await harness.project('acme', `shop-${++projects}`)).id
    const made: number[] = []
    for (const [index, events] of [2, 1, 1].entries()) {
      const hash = `${projects}${index}`.padStart(32, '0')
      const { issueId } = await harness.issue(
        project,
        { title: `number ${index}` },
        Array.from({ length: events }, () => ({ hashes: [hash] })),
      )
      await harness.db
        .insertInto('issue_hash')
        .values({ project_id: project, hash, issue_id: issueId })
        .execute()
      made.push(issueId)
    }
    await harness.db.updateTable('project').set({ issue_counter: 3 }).where('id', '=', project).execute()
    ids = made
  })

  const [a, b, c] = [() => ids[0] ?? 0, () => ids[1] ?? 0, () => ids[2] ?? 0]
  const hashOf = (index: number): string => `${projects}${index}`.padStart(32, '0')
  /** `status` as expected; the answer as JSON, undefined for an empty one. */
  const ask = async <Answer>(
    status: number | readonly number[],
    method: string,
    path: string,
    body?: unknown,
    who = 'admin',
  ): Promise<Answer> => {
    const response = await harness.fetch(`/api/0/${path}`, {
      method,
      headers: { cookie: cookies.get(who) ?? '', origin: PUBLIC_URL, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(
      [status].flat().includes(response.status),
      `${response.status} ${who} ${method} ${path} ${text}`,
    )
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const named = (...of: readonly number[]) => `${LIST}?${of.map((id) => `id=${id}`).join('&')}`
  const merge = (...of: readonly number[]) => ask<Merge>(200, 'PUT', named(...of), { merge: 1 })
  const listed = async () => {
    const rows = await ask<readonly Issue[]>(200, 'GET', `${LIST}?project=${project}&query=`)
    return Object.fromEntries(rows.map(({ id, count }) => [Number(id), Number(count)]))
  }
  const setMembersSee = (members_see: 'all' | 'teams') =>
    harness.db.updateTable('organization').set({ members_see }).where('slug', '=', 'acme').execute()
  const settle = () =>
    harness.db
      .updateTable('issue_move')
      .set({ finished_ms: NOW_MS })
      .where('project_id', '=', project)
      .execute()

  /** All that changes issues, each of the first one. */
  const changes = (): readonly (readonly [string, string, unknown?])[] => [
    ['PUT', named(...ids), { merge: 1 }],
    ['PUT', named(a()), { discard: true }],
    ['DELETE', named(a())],
    ['PUT', `${LIST}${a()}/`, { discard: true }],
    ['PUT', `${LIST}${a()}/`, { isPublic: true }],
    ['PUT', `${LIST}${a()}/`, { isPublic: false }],
    ['DELETE', `${LIST}${a()}/`],
    ['DELETE', `${LIST}${a()}/hashes/?id=${hashOf(0)}`],
    ['PUT', `${LIST}${a()}/hashes/?id=${hashOf(0)}`],
  ]

  describe('who may', () => {
    it('a viewer reads the fingerprints and changes nothing', async () => {
      for (const [method, path, body] of changes()) await ask(403, method, path, body, 'viewer')
      // Without an organization in the address, none that lets them delete has it.
      await ask(404, 'DELETE', `issues/${a()}/`, undefined, 'viewer')
      const hashes = await ask<Hash[]>(200, 'GET', `${LIST}${a()}/hashes/`, undefined, 'viewer')
      assert.deepEqual(
        hashes.map(({ id, count }) => [id, count]),
        [[hashOf(0), 2]],
      )
      assert.deepEqual(await listed(), { [a()]: 2, [b()]: 1, [c()]: 1 })
    })

    it('a member merges and shares, and deletes nothing', async () => {
      for (const [method, path, body] of [
        ['PUT', named(a()), { discard: true }],
        ['DELETE', named(a())],
        ['PUT', `${LIST}${a()}/`, { discard: true }],
        ['DELETE', `${LIST}${a()}/`],
      ] as const)
        await ask(403, method, path, body, 'member')
      await ask(200, 'PUT', named(a(), b()), { merge: 1 }, 'member')
      await ask(200, 'PUT', `${LIST}${a()}/`, { isPublic: true }, 'member')
      assert.deepEqual(await listed(), { [a()]: 3, [c()]: 1 })
    })

    it('a member who does not see the project finds nothing to change or read', async () => {
      await setMembersSee('teams')
      try {
        for (const [method, path, body] of changes()) {
          const isDeletion = method === 'DELETE' && !path.includes('hashes')
          const isDiscard = JSON.stringify(body)?.includes('discard')
          // Deleting is no member's, whatever it is that is asked for.
          await ask(isDeletion || isDiscard ? [403, 404] : [404], method, path, body, 'member')
        }
        await ask(404, 'GET', `${LIST}${a()}/hashes/`, undefined, 'member')
      } finally {
        await setMembersSee('all')
      }
      assert.deepEqual(await listed(), { [a()]: 2, [b()]: 1, [c()]: 1 })
    })

    it('an owner of another organization finds nothing, by its own address too', async () => {
      for (const [method, path, body] of changes()) {
        await ask(404, method, path, body, 'owner')
        await ask(404, method, path.replace('/acme/', '/rival/'), body, 'owner')
      }
      const { undo } = await merge(a(), b())
      await ask(404, 'PUT', 'organizations/rival/issues/', { undo }, 'owner')
      assert.deepEqual(await listed(), { [a()]: 3, [c()]: 1 })
    })
  })

  describe('merging', () => {
    it('into the one with the most events; the whole is addressed by any of its ids, and given back', async () => {
      const { merge: made, undo } = await merge(b(), a(), c())
      assert.equal(made.parent, String(a()))
      assert.deepEqual(new Set(made.children), new Set([String(b()), String(c())]))
      assert.deepEqual(await listed(), { [a()]: 4 })
      assert.equal((await ask<Issue>(200, 'GET', `${LIST}${b()}/`)).id, String(a()))
      const hashes = await ask<Hash[]>(200, 'GET', `${LIST}${b()}/hashes/`)
      assert.deepEqual(
        new Set(hashes.map(({ id, count, mergedFrom }) => `${id} ${count} ${mergedFrom !== null}`)),
        new Set([`${hashOf(0)} 2 false`, `${hashOf(1)} 1 true`, `${hashOf(2)} 1 true`]),
      )
      assert.equal((await ask<{ count: number }>(200, 'PUT', LIST, { undo })).count, 2)
      assert.deepEqual(await listed(), { [a()]: 2, [b()]: 1, [c()]: 1 })
    })

    it('bad input changes nothing', async () => {
      const elsewhere = (await harness.issue((await harness.project('acme', 'other')).id)).issueId
      const many = Array.from({ length: 201 }, (_, index) => index + 1)
      for (const wrong of [[], [a()], [a(), a()], [a(), elsewhere], many, [a(), NOWHERE]])
        await ask(400, 'PUT', named(...wrong), { merge: 1 })
      await ask(404, 'PUT', named(NOWHERE, NOWHERE + 1), { merge: 1 })
      for (const id of ['x', '-1', '1e3', '9'.repeat(16)])
        await ask(400, 'PUT', `${LIST}?id=${a()}&id=${id}`, { merge: 1 })
      for (const merged of [0, 2, 'yes', false, null, {}])
        await ask(400, 'PUT', named(a(), b()), { merge: merged })
      for (const undo of ['merged<', `merged<${a()}:`, 'merged<x:y', 'm'.repeat(10_000)])
        await ask(400, 'PUT', LIST, { undo })
      assert.deepEqual(await listed(), { [a()]: 2, [b()]: 1, [c()]: 1 })
    })
  })

  describe('fingerprints', () => {
    it('are split off into a new issue, or given back to the one that brought them', async () => {
      await merge(a(), b(), c())
      const back = await ask<{ id: string }>(202, 'PUT', `${LIST}${a()}/hashes/?backTo=${b()}`)
      assert.equal(back.id, String(b()))
      const split = await ask<{ id: string }>(202, 'DELETE', `${LIST}${a()}/hashes/?id=${hashOf(2)}`)
      assert.ok(![a(), b(), c()].includes(Number(split.id)), 'a new one')
      assert.deepEqual(await listed(), { [a()]: 2, [b()]: 1, [Number(split.id)]: 1 })
      // One page has all of them.
      const { headers } = await harness.fetch(`/api/0/${LIST}${a()}/hashes/`, {
        headers: { cookie: cookies.get('admin') ?? '' },
      })
      assert.match(headers.get('link') ?? '', /rel="next"; results="false"/)
    })

    it('none, all, unknown ones and those of another issue stay', async () => {
      await merge(a(), b())
      await ask(400, 'DELETE', `${LIST}${a()}/hashes/`)
      await ask(400, 'DELETE', `${LIST}${a()}/hashes/?id=${hashOf(0)}&id=${hashOf(1)}`)
      await ask(404, 'DELETE', `${LIST}${a()}/hashes/?id=${hashOf(2)}`)
      await ask(404, 'DELETE', `${LIST}${a()}/hashes/?id=${'f'.repeat(32)}`)
      await ask(400, 'DELETE', `${LIST}${a()}/hashes/?id=${'f'.repeat(101)}`)
      await ask(400, 'PUT', `${LIST}${a()}/hashes/?backTo=x`)
      await ask(404, 'PUT', `${LIST}${a()}/hashes/?backTo=${c()}`)
      await ask(404, 'DELETE', `${LIST}${NOWHERE}/hashes/?id=${hashOf(0)}`)
      assert.deepEqual(await listed(), { [a()]: 3, [c()]: 1 })
    })
  })

  describe('deleting', () => {
    it('by the id of a part is refused (409), and while events move; then the whole goes', async () => {
      await merge(a(), b())
      await ask(409, 'DELETE', `${LIST}${b()}/`)
      await ask(409, 'PUT', `${LIST}${b()}/`, { discard: true })
      await ask(409, 'DELETE', named(b()))
      await ask(409, 'PUT', named(c(), b()), { discard: true })
      await ask(409, 'DELETE', named(a()))
      assert.deepEqual(await listed(), { [a()]: 3, [c()]: 1 })
      await settle()
      await ask(202, 'DELETE', `${LIST}${a()}/`)
      await ask(404, 'DELETE', `${LIST}${a()}/`)
      for (const id of [a(), b()]) await ask(404, 'GET', `${LIST}${id}/`)
      assert.deepEqual(await listed(), { [c()]: 1 })
    })

    it('needs ids: not everything that a search finds', async () => {
      await ask(400, 'DELETE', LIST)
      await ask(400, 'DELETE', `${LIST}?query=is:unresolved`)
      await ask(400, 'PUT', LIST, { discard: true })
      await ask(400, 'DELETE', `${LIST}?id=all`)
      await ask(404, 'DELETE', named(NOWHERE))
      await ask(204, 'DELETE', named(a(), NOWHERE))
      assert.deepEqual(await listed(), { [b()]: 1, [c()]: 1 })
    })

    it('discarding remembers the fingerprints', async () => {
      await ask(204, 'PUT', named(a(), b()), { discard: true })
      await ask(202, 'PUT', `${LIST}${c()}/`, { discard: true })
      assert.deepEqual(await listed(), {})
      const kept = await harness.db
        .selectFrom('discarded_hash')
        .select('hash')
        .where('project_id', '=', project)
        .orderBy('hash')
        .execute()
      assert.deepEqual(
        kept.map(({ hash }) => hash),
        [hashOf(0), hashOf(1), hashOf(2)],
      )
    })
  })

  describe('sharing', () => {
    const share = async () => {
      const { isPublic, shareId } = await ask<Issue>(200, 'PUT', `${LIST}${a()}/`, { isPublic: true })
      assert.ok(isPublic && typeof shareId === 'string')
      return shareId
    }
    /** Signed out. */
    const open = async (shareId: string, base = 'organizations/acme/shared/issues') => {
      const response = await harness.fetch(`/api/0/${base}/${shareId}/`)
      return { status: response.status, text: await response.text(), headers: response.headers }
    }

    it('opens without a sign-in, is said once, and ends with the next link or when it is taken back', async () => {
      const first = await share()
      const opened = await open(first)
      assert.equal(opened.status, 200)
      assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
      const shown = JSON.parse(opened.text) as { title: string; count: string }
      assert.deepEqual([shown.title, shown.count], ['number 0', '2'])
      const again = await ask<Issue>(200, 'GET', `${LIST}${a()}/`)
      assert.deepEqual([again.isPublic, again.shareId], [true, null])
      const second = await share()
      assert.deepEqual([(await open(first)).status, (await open(second, 'shared/issues')).status], [404, 200])
      assert.equal((await ask<Issue>(200, 'PUT', `${LIST}${a()}/`, { isPublic: false })).isPublic, false)
      const gone = await open(second)
      assert.deepEqual(
        [gone.status, gone.text],
        [404, (await open('x'.repeat(43))).text],
        'as an unknown one',
      )
      assert.equal((await open('%00')).status, 404)
    })

    it('outlives a merge and its undo, and leads nowhere while the organization allows none', async () => {
      const shareId = await share()
      const { undo } = await ask<Merge>(200, 'PUT', named(a(), b()), { merge: 1 })
      assert.equal((await open(shareId)).status, 200)
      await ask(200, 'PUT', LIST, { undo })
      const grant = await harness.access.openOrg(operatorViewer, 'acme', 'org:write')
      await setPublicLinks(harness.commands, grant, { areAllowed: false })
      assert.equal((await open(shareId)).status, 404)
      await ask(400, 'PUT', `${LIST}${a()}/`, { isPublic: true })
      await setPublicLinks(harness.commands, grant, { areAllowed: true })
      assert.equal((await open(shareId)).status, 200)
    })
  })
})
