/** What every engine of the records must do; callers build on each of these. Run by the engines' tests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { type OpenRecords, openRecords, type RecordsPlace } from './open-records.ts'
import { writeTransaction } from './write-transaction.ts'

/** `place` names the same, empty store on each call. */
export function testRecords(name: string, place: () => RecordsPlace): void {
  const open = (): Promise<OpenRecords> => openRecords(place(), { logger: silentLogger })

  test(`${name}: opening again finds what was written, and migrates nothing twice`, async () => {
    const first = await open()
    await first.db.insertInto('setting').values({ name: 'kept', value: '1' }).execute()
    await first.close()
    const second = await open()
    const row = await second.db
      .selectFrom('setting')
      .selectAll()
      .where('name', '=', 'kept')
      .executeTakeFirst()
    assert.deepEqual(row, { name: 'kept', value: '1' })
    await second.close()
  })

  test(`${name}: a failed transaction leaves nothing behind`, async () => {
    const { db, close } = await open()
    const failed = writeTransaction(db, async (tx) => {
      await tx.insertInto('setting').values({ name: 'half', value: '1' }).execute()
      throw new Error('stop')
    })
    await assert.rejects(failed, /stop/)
    const rows = await db.selectFrom('setting').selectAll().where('name', '=', 'half').execute()
    assert.deepEqual(rows, [])
    await close()
  })

  test(`${name}: concurrent read-then-write transactions lose no update`, async () => {
    const { db, close } = await open()
    await db.insertInto('pipeline_state').values({ name: 'count', position: 0 }).execute()
    const add = () =>
      writeTransaction(db, async (tx) => {
        const row = await tx.selectFrom('pipeline_state').select('position').executeTakeFirstOrThrow()
        await new Promise((resolve) => setImmediate(resolve))
        await tx
          .updateTable('pipeline_state')
          .set({ position: row.position + 1 })
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, add))
    const row = await db.selectFrom('pipeline_state').select('position').executeTakeFirstOrThrow()
    assert.equal(row.position, 50)
    await close()
  })

  test(`${name}: an upsert returns its row, and references hold`, async () => {
    const { db, close } = await open()
    const put = (value: string) =>
      db
        .insertInto('setting')
        .values({ name: 'upsert', value })
        .onConflict((on) => on.column('name').doUpdateSet({ value }))
        .returning('value')
        .executeTakeFirstOrThrow()
    assert.deepEqual(await put('1'), { value: '1' })
    assert.deepEqual(await put('2'), { value: '2' })
    const orphan = { project_id: 999, public_key: 'f'.repeat(32), label: '', created_ms: 1 }
    await assert.rejects(db.insertInto('project_key').values(orphan).execute())
    await close()
  })

  test(`${name}: text comes back as it was, integers up to 2^53 too`, async () => {
    const { db, close } = await open()
    const value = `a'"\\\n😀${'ي'.repeat(3)}<b>`
    await db.insertInto('setting').values({ name: value, value }).execute()
    const row = await db.selectFrom('setting').selectAll().where('name', '=', value).executeTakeFirstOrThrow()
    assert.equal(row.value, value)
    const position = Number.MAX_SAFE_INTEGER
    await db.insertInto('pipeline_state').values({ name: 'far', position }).execute()
    const far = await db.selectFrom('pipeline_state').selectAll().where('name', '=', 'far').execute()
    assert.equal(far[0]?.position, position)
    await close()
  })
}
