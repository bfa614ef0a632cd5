import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'

test('rows with a position in the log are kept when the partition joins it, and what attachments take stays counted', () => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true })
  migrateRecords(
    database,
    silentLogger,
    MIGRATIONS.filter(({ name }) => name < '0024'),
  )
  database.exec(`INSERT INTO organization (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 1);
    INSERT INTO project (id, org_id, slug, name, platform, created_ms) VALUES (7, 1, 'shop', 'Shop', 'node', 1);
    INSERT INTO pipeline_state (name, position, inflight_from, inflight_to, held) VALUES ('pipeline', 50, 50, 90, '[]');
    INSERT INTO digest_settings (from_position, value) VALUES (10, '{}'), (20, '{"7":{}}');
    INSERT INTO deletion (project_id, org_id, name, after_position, blobs, requested_ms) VALUES (3, 1, 'x', 5, '[]', 1)`)
  const letter =
    database.prepare(`INSERT INTO dead_letter (project_id, log_position, item_index, item_type, reason,
    detail, blob, created_ms, sdk, bytes) VALUES (7, ?, 0, 'event', 'r', 'd', 'b', 1, 's', 9)`)
  const file =
    database.prepare(`INSERT INTO attachment (project_id, event_id, name, content_type, attachment_type,
    shown_as, bytes, sha1, sha256, blob, log_position, item_index, created_ms)
    VALUES (7, 'e', 'n', 't', 'a', '', 100, '1', '2', ?, ?, 0, 1)`)
  for (const at of [1, 2]) {
    letter.run(at)
    file.run(`blob ${at}`, at)
  }
  database.exec('DELETE FROM dead_letter WHERE id = 2; DELETE FROM attachment WHERE id = 2')
  const all = (table: string) =>
    database
      .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
      .all()
      .map(({ ...row }) => row)
  const tables = [
    'pipeline_state',
    'digest_settings',
    'dead_letter',
    'attachment',
    'deletion',
    'attachment_usage',
  ]
  const before = tables.map(all)
  migrateRecords(
    database,
    silentLogger,
    MIGRATIONS.filter(({ name }) => name < '0025'),
  )
  const after = tables.map(all)
  for (const [at, rows] of after.entries())
    assert.deepEqual(
      rows.map(({ log_partition, ...row }) => {
        assert.ok(log_partition === 0 || tables[at] === 'attachment_usage')
        return row
      }),
      before[at],
    )
  // Ids go on, equal positions of one partition are the same item, and usage follows as before.
  letter.run(3)
  assert.throws(() => letter.run(3), /UNIQUE/)
  file.run('blob 3', 3)
  assert.deepEqual(
    all('dead_letter').map(({ id }) => id),
    [1, 3],
  )
  assert.deepEqual(all('attachment_usage'), [{ project_id: 7, bytes: 200 }])
  database.exec('DELETE FROM attachment')
  assert.deepEqual(all('attachment_usage'), [{ project_id: 7, bytes: 0 }])
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), [])
  database.close()
})
