/** What every engine of the records must do; callers build on each of these. Run by the engines' tests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { type KeyInfo, openKeySource } from './key-source.ts'
import { type OpenRecords, openRecords, type RecordsFile } from './open-records.ts'
import type { Records } from './schema.ts'
import { writeTransaction } from './write-transaction.ts'

/** `place` names the same, empty store on each call. */
export function testRecords(name: string, place: () => RecordsFile): void {
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

  test(`${name}: keys come with their limits and project, and anew after a change of one of these alone`, async () => {
    const { db, close } = await open()
    const source = openKeySource(place())
    const projectId = await addKey(db, 'a'.repeat(32))
    let version: string | undefined
    /** Undefined: nothing changed. */
    const read = async (): Promise<KeyInfo | 'deleted' | undefined> => {
      const found = await source.read(version)
      version = found?.version ?? version
      return found && (found.keys.get('a'.repeat(32)) ?? 'deleted')
    }
    const key = await read()
    assert.ok(typeof key === 'object')
    const { keyId, orgId } = key
    const ids = { keyId, projectId, orgId }
    assert.deepEqual(key, { ...ids, isActive: true, spanCaps: {}, allowedDomains: [] })
    assert.equal(await read(), undefined)

    const limit = { rate_limit_count: 10, rate_limit_window_sec: 60 }
    const keyOf = db.updateTable('project_key').where('id', '=', keyId)
    await keyOf.set({ is_active: 0, active_until_ms: 1_000, ...limit }).execute()
    const rateLimit = { count: 10, windowSec: 60 }
    const ended = { ...ids, isActive: false, activeUntilMs: 1_000, rateLimit, spanCaps: {} }
    assert.deepEqual(await read(), { ...ended, allowedDomains: [] })
    await db.updateTable('project').set({ issue_counter: 7 }).where('id', '=', projectId).execute()
    assert.equal(await read(), undefined, 'an issue is no change of keys')

    const setting = { project_id: projectId, value: '{}', updated_ms: 1 }
    await db
      .insertInto('project_setting')
      .values({ ...setting, ...limit })
      .execute()
    assert.deepEqual(await read(), { ...ended, projectRateLimit: rateLimit, allowedDomains: [] })
    const change = db.updateTable('project_setting').where('project_id', '=', projectId)
    await change.set({ value: '{"filters":{}}' }).execute()
    assert.equal(await read(), undefined, 'ingest does not read filters')
    await change.set({ span_minute_cap: 1_000, spans_refused_until_ms: 86_400_000 }).execute()
    const capped = await read()
    assert.ok(typeof capped === 'object')
    assert.deepEqual(capped.spanCaps, { perMinute: 1_000, refusedUntilMs: 86_400_000 })
    for (const [stored, domains] of [
      ['["shop.example"]', ['shop.example']],
      ['["shop.exa', []],
      [null, []],
    ] as const) {
      await change.set({ allowed_domains: stored }).execute()
      const found = await read()
      assert.ok(typeof found === 'object')
      assert.deepEqual(found.allowedDomains, domains)
    }
    await db.deleteFrom('project').where('id', '=', projectId).execute()
    assert.equal(await read(), 'deleted')
    await source.close()
    await close()
  })
}

/** An organisation with a project that has this key. Returns the project. */
export async function addKey(db: Records, publicKey: string): Promise<number> {
  const org = await db
    .insertInto('organization')
    .values({ slug: `org-${publicKey[0]}`, name: 'Acme', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await db
    .insertInto('project')
    .values({ org_id: org.id, slug: 'shop', name: 'Shop', platform: 'javascript', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_key')
    .values({ project_id: project.id, public_key: publicKey, label: 'Default', created_ms: 1 })
    .execute()
  return project.id
}
