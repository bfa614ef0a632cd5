/** Which issues the index of texts names, on a records file from before it and as rows change. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { textIndexOf, openRecords, type Records } from '@sonde/stores'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const ISSUE = `INSERT INTO issue (project_id, short_number, type, level, title, culprit, platform, metadata, logger,
  is_unhandled, first_seen_ms, last_seen_ms, event_count, first_release, last_release, last_event_id, created_ms)
  VALUES (1, ?, 'error', 'error', ?, ?, 'node', '{}', '', 0, 1, 1, 1, '', '', '', 1)`

test('issues from before the index are found; changed, deleted and new ones as they are now', async () => {
  const file = join(temporaryFolder(), 'records.sqlite')
  const old = new DatabaseSync(file)
  const before = MIGRATIONS.findIndex(({ name }) => name === '0013-issue-text')
  migrateRecords(old, silentLogger, MIGRATIONS.slice(0, before))
  old.exec(`INSERT INTO organization (id, slug, name, created_ms) VALUES (1, 'acme', 'acme', 1);
    INSERT INTO project (id, org_id, slug, name, platform, created_ms) VALUES (1, 1, 'shop', 'shop', 'node', 1)`)
  const texts = [
    ['TypeError: the Cart is gone', 'checkout/cart.ts'],
    ['100 % "quoted" ÄÖÜ', 'a-b'],
    ['no', 'x'],
  ]
  for (const [at, row] of texts.entries()) old.prepare(ISSUE).run(at + 1, ...row)
  old.close()

  const { db, close } = await openRecords({ file }, { logger: silentLogger })
  const sqlite = new DatabaseSync(file)
  const found = (...wanted: string[]): Promise<number[] | undefined> => ids(db, wanted)
  assert.deepEqual(await found('cart'), [1])
  assert.deepEqual(await found('CART', 'gone'), [1])
  assert.deepEqual(await found('cart', 'nowhere'), [])
  assert.deepEqual(await found('"quoted" ä'), [2])
  assert.deepEqual(await found('a-b'), [2])
  assert.equal(await found('no'), undefined)
  assert.equal(await found('a\0bcd'), undefined)

  sqlite.prepare(ISSUE).run(4, 'another cart', '')
  assert.deepEqual(await found('cart'), [4, 1])
  await db.updateTable('issue').set({ title: 'renamed', event_count: 2 }).where('id', '=', 4).execute()
  assert.deepEqual(await found('cart'), [1])
  assert.deepEqual(await found('renamed'), [4])
  await db.updateTable('issue').set({ title: 'renamed', event_count: 3 }).where('id', '=', 4).execute()
  assert.deepEqual(await found('renamed'), [4])
  await db.deleteFrom('project').where('id', '=', 1).execute()
  assert.deepEqual(await found('renamed'), [])
  // Throws when index and issues differ.
  sqlite.exec(`INSERT INTO issue_text (issue_text, rank) VALUES ('integrity-check', 1)`)
  sqlite.close()
  await close()
})

async function ids(db: Records, texts: readonly string[]): Promise<number[] | undefined> {
  const query = textIndexOf(db).issuesWith(texts, 10)
  return query && (await query.execute(db)).rows.map(({ id }) => id)
}
