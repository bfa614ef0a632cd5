/** A person in the records: asked for once, cleared from texts, named nowhere by the asking itself. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { ensureProject, erasePerson, InvalidInput } from '@sonde/commands'
import { eraseFromRecords, purgeRecords, recordsNaming } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const ANNA = { email: 'anna@example.com' } as const

describe('erasing a person', () => {
  let harness: Harness
  let shop: number
  let other: number
  before(async () => {
    harness = await openHarness()
    const make = async (slug: string): Promise<number> =>
      (await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug })).id
    ;[shop, other] = [await make('shop'), await make('other')]
    for (const project of [shop, other]) {
      const ids = await harness.issues(project, 3)
      await harness.db
        .updateTable('issue')
        .set({ title: 'mail to Anna@example.com failed', metadata: '{"value":"<anna@example.com>"}' })
        .where('id', 'in', ids.slice(0, 2))
        .execute()
      await harness.db
        .updateTable('issue')
        .set({ title: 'mail to joanna@example.com failed' })
        .where('id', '=', ids[2] ?? 0)
        .execute()
    }
  })
  after(() => harness.close())

  const open = () => harness.access.openProject(operatorViewer, 'acme', 'shop', 'event:delete')
  const titles = async (project: number) => {
    const rows = await harness.db
      .selectFrom('issue')
      .select(['title', 'metadata'])
      .where('project_id', '=', project)
      .orderBy('id')
      .execute()
    return rows.map(({ title, metadata }) => `${title} ${metadata}`)
  }

  it('is asked for once, and nobody reads in the audit log who it is', async () => {
    const first = await erasePerson(harness.deps, await open(), ANNA)
    const again = await erasePerson(harness.deps, await open(), { email: ' ANNA@example.com' })
    assert.deepEqual([first.isNew, again], [true, { id: first.id, isNew: false }])
    const entries = await harness.db.selectFrom('audit_entry').selectAll().execute()
    assert.equal(entries.filter(({ action }) => action === 'person.erase').length, 1)
    assert.ok(!JSON.stringify(entries).includes('anna'))
    await assert.rejects(erasePerson(harness.deps, await open(), { email: 'anna' }), InvalidInput)
    await assert.rejects(erasePerson(harness.deps, await open(), {}), InvalidInput)
  })

  it('clears texts of these projects alone, and finds nothing the second time', async () => {
    const before = await titles(other)
    const naming: string[] = []
    for await (const { what } of recordsNaming(harness.db, [shop], ANNA)) naming.push(what)
    assert.deepEqual(naming, ['issues', 'issues'])
    assert.deepEqual(await eraseFromRecords(harness.db, [shop], ANNA), { issues: 2 })
    const erased = 'mail to [Erased] failed {"value":"<[Erased]>"}'
    assert.deepEqual(await titles(shop), [erased, erased, 'mail to joanna@example.com failed {}'])
    assert.deepEqual(await titles(other), before)
    assert.deepEqual(await eraseFromRecords(harness.db, [shop], ANNA), {})
    await purgeRecords(harness.db)
    assert.deepEqual(await titles(other), before)
  })
})
