/** Searches under a name: who may change which, the way back from a deletion, and everybody's own order. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type Viewer } from '@sonde/access'
import {
  deleteSearch,
  ensureProject,
  InvalidInput,
  pinSearch,
  restoreSearch,
  saveSearch,
  setDefaultSearch,
  updateSearch,
} from '@sonde/commands'
import { savedSearches } from '@sonde/queries'
import { type Harness, openHarness } from './harness.ts'

describe('saved searches', () => {
  let harness: Harness
  let ada: Viewer
  let vera: Viewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    ada = await harness.viewer('acme', 'member')
    vera = await harness.viewer('acme', 'viewer')
  })
  after(() => harness.close())

  const grant = (viewer: Viewer) => harness.access.openOrg(viewer, 'acme', 'event:read')
  const queries = () => ({ records: harness.db, clock: harness.clock })
  const shown = async (viewer: Viewer): Promise<readonly string[]> =>
    (await savedSearches(queries(), await grant(viewer))).map(
      ({ name, isPinned, isDefault }) => name + (isPinned ? ' pinned' : '') + (isDefault ? ' default' : ''),
    )
  const refused = (kind: string) => (error: unknown) => (error as { kind?: string }).kind === kind

  it('own ones are seen and changed by nobody else; shared ones are changed by who may change issues', async () => {
    const own = await saveSearch(harness.deps, await grant(vera), { name: 'Mine', query: 'level:error' })
    const shared = await saveSearch(harness.deps, await grant(ada), {
      name: 'Ours',
      query: 'level:fatal',
      isShared: true,
    })
    assert.deepEqual([await shown(vera), await shown(ada)], [['Mine', 'Ours'], ['Ours']])
    const asVera = await grant(vera)
    const asAda = await grant(ada)
    await assert.rejects(
      saveSearch(harness.deps, asVera, { name: 'x', query: '', isShared: true }),
      refused('forbidden'),
    )
    for (const deed of [updateSearch, deleteSearch, restoreSearch]) {
      await assert.rejects(deed(harness.deps, asAda, { id: own.id }), refused('not-found'), deed.name)
      await assert.rejects(
        deed(harness.deps, asVera, { id: shared.id }),
        refused(deed === restoreSearch ? 'not-found' : 'forbidden'),
        deed.name,
      )
    }
    await updateSearch(harness.deps, asVera, { id: own.id, name: 'Still mine' })
    await updateSearch(harness.deps, asAda, { id: shared.id, name: 'Still ours', sort: 'freq' })
    assert.deepEqual(await shown(vera), ['Still mine', 'Still ours'])
    await assert.rejects(updateSearch(harness.deps, asVera, { id: own.id, name: ' ' }), InvalidInput)
  })

  it('one that was deleted comes back as it was for everybody, within an hour', async () => {
    const [asAda, asVera] = [await grant(ada), await grant(vera)]
    const { id } = await saveSearch(harness.deps, asAda, { name: 'Gone', query: '', isShared: true })
    await setDefaultSearch(harness.deps, asVera, { id })
    await pinSearch(harness.deps, asVera, { id, change: 'pin' })
    await deleteSearch(harness.deps, asAda, { id })
    assert.equal(
      (await shown(vera)).some((name) => name.startsWith('Gone')),
      false,
    )
    await assert.rejects(setDefaultSearch(harness.deps, asVera, { id }), refused('not-found'))
    await restoreSearch(harness.deps, asAda, { id })
    assert.equal((await shown(vera))[0], 'Gone pinned default')
    // The name may have been taken meanwhile.
    await deleteSearch(harness.deps, asAda, { id })
    const other = await saveSearch(harness.deps, asAda, { name: 'Gone', query: 'x', isShared: true })
    await assert.rejects(restoreSearch(harness.deps, asAda, { id }), InvalidInput)
    await deleteSearch(harness.deps, asAda, other)
    harness.clock.advance(60 * 60_000)
    await assert.rejects(restoreSearch(harness.deps, asAda, { id }), refused('not-found'))
    const rows = await harness.db.selectFrom('saved_search').select('id').where('id', '=', id).execute()
    assert.equal(rows.length, 1, 'what refuses changes nothing')
    await saveSearch(harness.deps, asAda, { name: 'Another', query: '' })
    const left = await harness.db
      .selectFrom('saved_search')
      .select('id')
      .where('deleted_ms', 'is not', null)
      .execute()
    assert.deepEqual(left, [])
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select('action')
      .where('action', 'in', [
        'search.save',
        'search.update',
        'search.default',
        'search.delete',
        'search.restore',
      ])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      new Set(audit.map(({ action }) => action)),
      new Set(['search.save', 'search.update', 'search.default', 'search.delete', 'search.restore']),
    )
  })

  it('what is pinned stands on top in the order of each person', async () => {
    const asAda = await grant(ada)
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await saveSearch(harness.deps, asAda, { name, query: name, isShared: true })).id)
    const pin = async (at: number, change: 'pin' | 'unpin' | 'up' | 'down') => {
      await pinSearch(harness.deps, asAda, { id: ids[at] ?? 0, change })
      return (await shown(ada)).filter((name) => name.includes('pinned')).map((name) => name.split(' ')[0])
    }
    await pin(2, 'pin')
    await pin(0, 'pin')
    assert.deepEqual(await pin(1, 'pin'), ['Three', 'One', 'Two'])
    assert.deepEqual(await pin(1, 'pin'), ['Three', 'One', 'Two'])
    assert.deepEqual(await pin(1, 'up'), ['Three', 'Two', 'One'])
    assert.deepEqual(await pin(2, 'up'), ['Three', 'Two', 'One'])
    assert.deepEqual(await pin(0, 'down'), ['Three', 'Two', 'One'])
    assert.deepEqual(await pin(2, 'down'), ['Two', 'Three', 'One'])
    assert.deepEqual(await pin(2, 'unpin'), ['Two', 'One'])
    assert.equal(
      (await shown(vera)).some((name) => name.includes('pinned')),
      false,
    )
  })

  it('says what it can no longer read, whether in its form or in a value', async () => {
    const asVera = await grant(vera)
    for (const query of ['is:nonsense', 'level:[a', 'timesSeen:many', 'bookmarks:ada', 'device.family:[x'])
      await saveSearch(harness.deps, asVera, { name: query, query })
    const found = await savedSearches(queries(), asVera)
    for (const { name, query, problem } of found)
      assert.equal(problem !== undefined, name === query && !['One', 'Two', 'Three'].includes(name), name)
    assert.match(found.find(({ name }) => name === 'is:nonsense')?.problem ?? '', /is:nonsense/)
  })
})
