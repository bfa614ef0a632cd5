/** Which releases an issue is of, and which bring a resolved one back: real log, SQLite and chDB. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { errorEnvelope, openHarness, until, type Harness } from './harness.ts'

describe('releases of an issue', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  let id = 0x1000

  /** An issue with one event of each version, the latest at last; then told how it is resolved. */
  const issueOf = async (
    pipeline: Awaited<ReturnType<Harness['start']>>,
    project: number,
    versions: readonly string[],
  ) => {
    for (const version of versions) await send(pipeline, project, version)
    return issue(project)
  }
  const send = async (
    pipeline: Awaited<ReturnType<Harness['start']>>,
    project: number,
    release: string,
    kind = 'Boom',
  ) => {
    const before = pipeline.state().events
    await harness.append(project, errorEnvelope(id++, kind, release === '' ? {} : { release }))
    await until(() => pipeline.state().events === before + 1, `an event of ${release} is stored`)
  }
  const issue = async (project: number) => {
    const [row] = await harness.issues(project)
    assert.ok(row)
    return row
  }
  const resolve = (issueId: number, resolved_in: '' | 'release' | 'next_release', resolved_release: string) =>
    harness.records
      .updateTable('issue')
      .set({ status: 'resolved', substatus: '', resolved_in, resolved_release })
      .where('id', '=', issueId)
      .execute()

  it('first and last are by version, not by time; hashes by when they were first seen', async (t) => {
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    const shop = await harness.createProject('order')
    const row = await issueOf(pipeline, shop, ['1.9.0', '1.10.0', '1.2.0', '', '1.9.1'])
    assert.deepEqual([row.first_release, row.last_release], ['1.2.0', '1.10.0'])
    const hashes = await harness.createProject('hashes')
    await send(pipeline, hashes, 'fffffff')
    await send(pipeline, hashes, 'eeeeeee', 'Odd')
    await send(pipeline, hashes, 'fffffff', 'Odd')
    const later = (await harness.issues(hashes))[1]
    assert.deepEqual([later?.first_release, later?.last_release], ['fffffff', 'eeeeeee'])
  })

  it('one resolved in a release comes back with that or a later one, and with none that says nothing', async (t) => {
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    const shop = await harness.createProject('in-release')
    const { id: issueId } = await issueOf(pipeline, shop, ['shop@1.9.0'])
    await resolve(issueId, 'release', 'shop@1.10.0')
    for (const version of ['shop@1.9.0', 'shop@1.9.5', '']) await send(pipeline, shop, version)
    const before = await issue(shop)
    assert.deepEqual([before.status, before.event_count], ['resolved', 4])
    await send(pipeline, shop, 'shop@1.10.0')
    const row = await issue(shop)
    assert.deepEqual(
      [row.status, row.substatus, row.resolved_in, row.resolved_release, row.regressed_release],
      ['unresolved', 'regressed', '', '', 'shop@1.10.0'],
    )
  })

  it('one resolved in the next release stays with that which was the latest, and comes back with a later one', async (t) => {
    const regressed: number[] = []
    const pipeline = await harness.start({ onCommit: (commit) => void regressed.push(...commit.regressed) })
    t.after(() => pipeline.stop())
    const shop = await harness.createProject('next-release')
    const { id: issueId } = await issueOf(pipeline, shop, ['2.0.0'])
    await resolve(issueId, 'next_release', '2.0.0')
    await send(pipeline, shop, '2.0.0')
    assert.equal((await issue(shop)).status, 'resolved')
    assert.deepEqual(regressed, [])
    await send(pipeline, shop, '2.0.1-rc.1')
    const { regressed_release, last_event_id } = await issue(shop)
    assert.equal(regressed_release, '2.0.1-rc.1')
    assert.deepEqual(regressed, [issueId])
    const changes = await harness.records
      .selectFrom('issue_change')
      .select(['kind', 'event_id', 'is_pending'])
      .where('issue_id', '=', issueId)
      .where('kind', '<>', 'new')
      .execute()
    const told = { event_id: last_event_id, is_pending: 1 }
    assert.deepEqual(changes, [
      { kind: 'regressed', ...told },
      { kind: 'first_seen_in_release', ...told },
    ])
  })

  it('one that is simply resolved comes back with any event', async (t) => {
    const pipeline = await harness.start()
    t.after(() => pipeline.stop())
    const shop = await harness.createProject('any')
    const { id: issueId } = await issueOf(pipeline, shop, ['2.0.0'])
    await resolve(issueId, '', '')
    await send(pipeline, shop, '1.0.0')
    assert.equal((await issue(shop)).substatus, 'regressed')
  })
})
