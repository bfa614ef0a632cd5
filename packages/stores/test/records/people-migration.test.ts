import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { migrateRecords } from '../../src/records/migrate.ts'
import { MIGRATIONS } from '../../src/records/migrations.ts'

const STATEMENTS = {
  person: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt") VALUES (?, 'N', ? || '@x.test', 1, '', '')`,
  org: `INSERT INTO organization (slug, name, created_ms) VALUES (?, '', 0)`,
  member: 'INSERT INTO member (org_id, user_id, role, created_ms) VALUES (?, ?, ?, 0)',
  audit: `INSERT INTO audit_entry (org_id, actor, action, subject, detail, at_ms) VALUES (?, ?, ?, ?, '{}', 0)`,
} as const
type Step = readonly [what: keyof typeof STATEMENTS, ...values: readonly (string | number | null)[]]

/** As each version before this one wrote them. */
const FIRST_START: readonly Step[] = [
  ['person', 'root'],
  ['audit', null, 'operator:server', 'user.create', 'root'],
]
const ORG_ONE: readonly Step[] = [
  ['org', 'one'],
  ['audit', 1, 'operator:cli', 'organization.create', 'one'],
]
const PROJECT: Step = ['audit', 1, 'operator:cli', 'project.create', 'one/shop']
const OWNERS: readonly Step[] = [
  ['member', 1, 'root', 'owner'],
  ['person', 'ann'],
  ['member', 1, 'ann', 'owner'],
  ['person', 'bob'],
  ['member', 1, 'bob', 'admin'],
  ['org', 'two'],
  ['person', 'eve'],
  ['member', 2, 'eve', 'owner'],
]

const CASES: readonly (readonly [string, readonly Step[], readonly string[]])[] = [
  [
    'the first start made organization 1: its owners stay operators',
    [...ORG_ONE, ...FIRST_START, PROJECT, ...OWNERS],
    ['ann', 'root'],
  ],
  [
    'the command line made it before: only whom the first start made',
    [...ORG_ONE, PROJECT, ...FIRST_START, ...OWNERS],
    ['root'],
  ],
  ['nobody was made by a first start: nobody', [...ORG_ONE, PROJECT, ['person', 'root'], ...OWNERS], []],
  [
    'whom the first start made is no owner of it any more: not that one',
    [
      ...ORG_ONE,
      ...FIRST_START,
      PROJECT,
      ['org', 'two'],
      ['member', 2, 'root', 'owner'],
      ['member', 1, 'root', 'viewer'],
    ],
    [],
  ],
]

for (const [name, steps, expected] of CASES) {
  test(`who looks after an installation of before: ${name}`, () => {
    const database = new DatabaseSync(':memory:')
    const at = MIGRATIONS.findIndex((migration) => migration.name === '0020-people')
    migrateRecords(database, silentLogger, MIGRATIONS.slice(0, at))
    for (const [what, ...values] of steps)
      database.prepare(STATEMENTS[what]).run(...(what === 'person' ? [...values, ...values] : values))
    migrateRecords(database, silentLogger)
    const rows = database.prepare('SELECT id FROM "user" WHERE "isOperator" = 1 ORDER BY id').all()
    assert.deepEqual(
      rows.map((row) => row['id']),
      expected,
    )
    database.close()
  })
}
