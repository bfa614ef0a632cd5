import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { sql } from 'kysely'
import { migrateRecords } from '../../src/records/migrate.ts'
import { openRecords } from '../../src/records/open-records.ts'
import { ALWAYS_SEEN, HIDDEN_BY, visibleRecords, withHidden } from '../../src/records/visible-records.ts'
import { writeTransaction } from '../../src/records/write-transaction.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const { db } = await openRecords({ file: join(temporaryFolder(), 'records.db') }, { logger: silentLogger })
const seen = visibleRecords(db)
const ids = { org: 1, shop: 1, site: 2 }
await db.insertInto('organization').values({ slug: 'acme', name: 'Acme', created_ms: 1 }).execute()
for (const slug of ['shop', 'site'])
  await db
    .insertInto('project')
    .values({ org_id: 1, slug, name: slug, platform: 'other', created_ms: 1 })
    .execute()

const hideShop = async (): Promise<void> => {
  const { id } = await db
    .insertInto('recently_deleted')
    .values({
      kind: 'project',
      org_id: ids.org,
      project_id: ids.shop,
      actor: 'user:u',
      count: 1,
      deleted_ms: 1,
      purge_ms: 2,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('hidden_project').values({ project_id: ids.shop, deleted_id: id }).execute()
}

test('every table with rows of an organization, a project or an issue is hidden by it, or says why not', () => {
  const fresh = new DatabaseSync(':memory:')
  migrateRecords(fresh, silentLogger)
  const tables = fresh
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
    .map(({ name }) => String(name))
  for (const table of tables) {
    const columns = fresh.prepare('SELECT name, "notnull" AS filled, pk FROM pragma_table_info(?)').all(table)
    const of = columns.filter(({ name }) => /^(?:org_id|project_id|issue_id)$/.test(String(name)))
    const hidden = HIDDEN_BY[table as keyof typeof HIDDEN_BY]
    const why = ALWAYS_SEEN[table as keyof typeof ALWAYS_SEEN]
    if (of.length > 0) assert.ok(hidden ?? why, `${table}: say in visible-records.ts how its rows are hidden`)
    assert.ok(!(hidden && why), `${table} is in both lists`)
    for (const [column, , nullable] of hidden ?? []) {
      const found = columns.find(({ name }) => name === column)
      assert.ok(found, `${table}.${column}`)
      const isFilled = found['filled'] === 1 || found['pk'] !== 0
      assert.equal(nullable === '?', !isFilled, `${table}.${column} may be null`)
    }
  }
  fresh.close()
})

test('a hidden row is in no select, join, update or deletion of what people see, and all are in the other', async () => {
  await hideShop()
  const slugs = async (records = seen): Promise<string[]> =>
    (await records.selectFrom('project').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)
  assert.deepEqual(await slugs(), ['site'])
  assert.deepEqual(await slugs(withHidden(seen)), ['shop', 'site'])
  assert.deepEqual(await writeTransaction(seen, (tx) => slugs(tx)), ['site'])
  assert.deepEqual(await writeTransaction(seen, (tx) => slugs(withHidden(tx))), ['shop', 'site'])

  const joined = await seen
    .selectFrom('organization as o')
    .leftJoin('project as p', (join) => join.onRef('p.org_id', '=', 'o.id').on('p.slug', '=', 'shop'))
    .select(['o.slug', 'p.slug as project'])
    .execute()
  assert.deepEqual(joined, [{ slug: 'acme', project: null }])
  const nested = await seen
    .selectFrom('organization')
    .select('slug')
    .where(({ exists, selectFrom }) => exists(selectFrom('project').select('id').where('slug', '=', 'shop')))
    .execute()
  assert.deepEqual(nested, [])
  // An `or` that somebody wrote as SQL does not lead around it.
  const either = await seen
    .selectFrom('project')
    .select('slug')
    .where(sql<boolean>`1 = 1 OR slug = 'shop'`)
    .execute()
  assert.deepEqual(either, [{ slug: 'site' }])

  await seen.updateTable('project').set({ name: 'changed' }).execute()
  await seen.deleteFrom('project').where('slug', '=', 'shop').execute()
  const shop = await db.selectFrom('project').select('name').where('slug', '=', 'shop').executeTakeFirst()
  assert.deepEqual(shop, { name: 'shop' })
})

test('what may be of no project is seen, unless it is of a hidden one', async () => {
  for (const project_id of [null, ids.shop, ids.site])
    await db
      .insertInto('dead_letter')
      .values({
        project_id,
        log_position: 1,
        item_index: project_id ?? 0,
        item_type: 'event',
        reason: 'invalid',
        detail: '',
        blob: `b${project_id}`,
        created_ms: 1,
      })
      .execute()
  const letters = await seen.selectFrom('dead_letter').select('project_id').orderBy('id').execute()
  assert.deepEqual(letters, [{ project_id: null }, { project_id: ids.site }])
})

test('without its line in the list everything is there again', async () => {
  await db.deleteFrom('recently_deleted').execute()
  assert.equal((await seen.selectFrom('project').select('id').execute()).length, 2)
  assert.equal((await seen.selectFrom('dead_letter').select('id').execute()).length, 3)
})
