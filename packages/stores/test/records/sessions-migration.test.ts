import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'

test('sessions whose tokens lay in the records end; people and their audit stay', () => {
  const database = new DatabaseSync(':memory:')
  const before = MIGRATIONS.filter(({ name }) => name < '0022')
  migrateRecords(database, silentLogger, before)
  database.exec(`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    VALUES ('ada', 'Ada', 'ada@acme.test', 1, '', '')`)
  database.exec(`INSERT INTO "session" (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
    VALUES ('s', '2099-01-01', 'in plain text', '', '', 'ada')`)
  database.exec(`INSERT INTO audit_entry (org_id, actor, action, subject, detail, at_ms)
    VALUES (NULL, 'user:ada', 'account.name', 'ada', '{}', 1)`)
  migrateRecords(database, silentLogger)
  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  assert.deepEqual(rows('SELECT id FROM "session"'), [])
  assert.deepEqual(rows('SELECT id FROM "user"'), [{ id: 'ada' }])
  assert.deepEqual(rows('SELECT actor, address FROM audit_entry'), [{ actor: 'user:ada', address: null }])
  database.close()
})
