import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIGRATIONS as RECORDS } from '../../src/records/migrations.ts'
import { MIGRATIONS as TELEMETRY } from '../../src/telemetry/migrations.ts'
import { RECORDS_COSTS, TELEMETRY_FILLS } from '../../src/upgrade/step-costs.ts'

/** The text index is another form of its table; a table that is made anew has the name of the one before. */
const NAMES: Readonly<Record<string, string>> = { issue_text: 'issue' }

test('a step of the records that touches rows of before is listed with its cost', () => {
  for (const { name, statements } of RECORDS) {
    const made = new Set(
      statements.flatMap((sql) => /^CREATE (?:VIRTUAL )?TABLE "?(\w+)"?/i.exec(sql.trim())?.[1] ?? []),
    )
    made.delete('issue_text')
    const touched = statements.flatMap((sql) => touchedTable(sql, made) ?? [])
    const found = [...new Set(touched.map((table) => NAMES[table] ?? table))].toSorted()
    const listed = (RECORDS_COSTS[name] ?? []).map(({ table }) => table).toSorted()
    assert.deepEqual(found, listed, `${name}: measure it with bench/upgrade.ts and list it in RECORDS_COSTS`)
  }
})

/** What changes only what is said of a table. Filling in is done beside everything else. */
const METADATA = [
  /^CREATE TABLE IF NOT EXISTS /,
  /^ALTER TABLE \w+ ADD (?:COLUMN|INDEX|PROJECTION) IF NOT EXISTS /,
  /^ALTER TABLE \w+ MODIFY (?:SETTING|COLUMN \w+ MODIFY SETTING) /,
  // The type stays: parts take the codec as they are merged.
  /^ALTER TABLE \w+ MODIFY COLUMN \w+ (?:DateTime64\(3, 'UTC'\)|UInt64) CODEC\(/,
]
const FILLING = /^ALTER TABLE (\w+) MATERIALIZE (?:COLUMN|PROJECTION) .* SETTINGS mutations_sync = 0$/

test('a step of the telemetry changes metadata at once, and rows in the background alone', () => {
  for (const { name, statements } of TELEMETRY) {
    const filled = new Set<string>()
    for (const statement of statements) {
      const sql = statement.trim().replaceAll(/\s+/g, ' ')
      const table = FILLING.exec(sql)?.[1]
      if (table !== undefined) filled.add(table)
      else
        assert.ok(
          METADATA.some((form) => form.test(sql)),
          `${name}: ${sql.slice(0, 100)}`,
        )
    }
    assert.deepEqual([...filled], TELEMETRY_FILLS[name] === undefined ? [] : [TELEMETRY_FILLS[name]])
  }
})

/** Tables of people, projects, rules and settings have thousands of rows, not millions. */
const SMALL = new Set([
  'account_link',
  'account_mail',
  'alert_rule',
  'alert_rule_state',
  'api_token',
  'deploy',
  'digest_settings',
  'issue_share',
  'organization',
  'pipeline_state',
  'project',
  'session',
  'sqlite_sequence',
  'sso_session',
  'sso_ticket',
  'sso_used',
  'user',
  'verification',
])

/** Of a statement of the records: the table of before whose rows it touches; undefined for one that touches none. */
function touchedTable(statement: string, made: ReadonlySet<string>): string | undefined {
  const sql = statement.trim().replaceAll(/\s+/g, ' ')
  if (
    /^(?:CREATE (?:VIRTUAL )?TABLE|CREATE TRIGGER|DROP TRIGGER|DROP INDEX|ALTER TABLE \S+ (?:ADD COLUMN|RENAME))/i.test(
      sql,
    )
  )
    return undefined
  const read = [...sql.matchAll(/\bFROM "?(\w+)/gi)].at(-1)?.[1]
  const written =
    /^(?:CREATE (?:UNIQUE )?INDEX \S+ ON|UPDATE|DELETE FROM|DROP TABLE|INSERT INTO) "?(\w+)"?/i.exec(sql)?.[1]
  if (written === undefined) return sql
  const table = /^INSERT/i.test(sql)
    ? sql.endsWith(' VALUES (1, 1)')
      ? undefined
      : (read ?? written)
    : written
  return table === undefined || made.has(table) || SMALL.has(table) ? undefined : table
}
