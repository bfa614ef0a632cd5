/** The two schemas are one: what a query may rely on in SQLite, it finds in PostgreSQL. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import pg from 'pg'
import {
  createMigratedDatabase,
  type TestDatabase,
} from '../../../../../tests/harness/servers/postgres-databases.ts'
import { openRecords } from '../../../src/records/open-records.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Each a line, so that a difference is read at once. */
type Schema = {
  columns: string[]
  keys: string[]
  references: string[]
  indexes: string[]
  triggers: string[]
}

describe('the schema of the records', () => {
  const file = join(temporaryFolder(), 'records.sqlite')
  let database: TestDatabase
  let sqlite: Schema
  let postgres: Schema
  before(async () => {
    await (await openRecords({ file }, { logger: silentLogger })).close()
    database = await createMigratedDatabase()
    sqlite = sqliteSchema(file)
    postgres = await postgresSchema(database.url)
  })
  after(() => database.drop())

  for (const part of ['columns', 'keys', 'references', 'indexes', 'triggers'] as const)
    it(`has the same ${part} in both engines`, () => {
      assert.ok(sqlite[part].length > 10)
      assert.deepEqual(postgres[part], sqlite[part])
    })
})

function sqliteSchema(file: string): Schema {
  const database = new DatabaseSync(file, { readOnly: true })
  const ask = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row['line']))
      .sort()
  const own = "t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'issue_text%'"
  const schema = {
    columns:
      ask(`SELECT t.name || '.' || c.name || CASE lower(c.type) WHEN 'integer' THEN ' number' ELSE ' text' END
      || CASE WHEN c."notnull" OR c.pk THEN ' not null' ELSE '' END || coalesce(' default ' || c.dflt_value, '') AS line
      FROM sqlite_master t, pragma_table_info(t.name) c WHERE ${own}`),
    keys: [
      ...ask(`SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_table_info(t.name)
        WHERE pk ORDER BY pk)) || ') primary' AS line FROM sqlite_master t WHERE ${own}`),
      ...ask(`SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) || ') unique' AS line
        FROM sqlite_master t, pragma_index_list(t.name) i WHERE ${own} AND i.origin = 'u'`),
    ].sort(),
    references:
      ask(`SELECT t.name || '.' || f."from" || ' to ' || f."table" || '.' || f."to" || ' ' || f.on_delete AS line
      FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE ${own}`),
    indexes:
      ask(`SELECT i.name || ' on ' || t.name || ' (' || (SELECT group_concat(coalesce(x.name, 'expression')
        || CASE x.desc WHEN 1 THEN ' desc' ELSE '' END, ', ') FROM pragma_index_xinfo(i.name) x WHERE x.key) || ')'
      || CASE i."unique" WHEN 1 THEN ' unique' ELSE '' END || CASE i.partial WHEN 1 THEN ' partial' ELSE '' END AS line
      FROM sqlite_master t, pragma_index_list(t.name) i WHERE ${own} AND i.origin = 'c'`),
    triggers: ask(`SELECT name || ' on ' || tbl_name AS line FROM sqlite_master
      WHERE type = 'trigger' AND name NOT LIKE 'issue_text%'`),
  }
  database.close()
  return schema
}

async function postgresSchema(url: string): Promise<Schema> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask = async (sql: string): Promise<string[]> =>
    (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line).sort()
  const columnsOf = (numbers: string, relation: string): string =>
    `(SELECT string_agg(a.attname, ', ' ORDER BY n.at) FROM unnest(${numbers}) WITH ORDINALITY n (number, at)
      JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = n.number)`
  const schema = {
    columns: await ask(`SELECT table_name || '.' || column_name
      || CASE data_type WHEN 'bigint' THEN ' number' WHEN 'text' THEN ' text' ELSE data_type END
      || CASE WHEN data_type = 'text' AND collation_name IS DISTINCT FROM 'C' THEN ' in another order' ELSE '' END
      || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
      || coalesce(' default ' || replace(column_default, '::text', ''), '') AS line
      FROM information_schema.columns WHERE table_schema = 'public'`),
    keys: await ask(`SELECT t.relname || ' (' || ${columnsOf('c.conkey', 'c.conrelid')} || ')'
      || CASE c.contype WHEN 'p' THEN ' primary' ELSE ' unique' END AS line
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
      WHERE c.contype IN ('p', 'u') AND t.relnamespace = 'public'::regnamespace`),
    references:
      await ask(`SELECT t.relname || '.' || ${columnsOf('c.conkey', 'c.conrelid')} || ' to ' || f.relname || '.'
      || ${columnsOf('c.confkey', 'c.confrelid')} || CASE c.confdeltype WHEN 'c' THEN ' CASCADE' WHEN 'n' THEN ' SET NULL' ELSE ' other' END AS line
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
      WHERE c.contype = 'f'`),
    indexes: await ask(`SELECT i.relname || ' on ' || t.relname || ' ('
      || (SELECT string_agg(coalesce(a.attname, 'expression') || CASE WHEN x.indoption[at - 1] & 1 = 1 THEN ' desc' ELSE '' END,
        ', ' ORDER BY at) FROM unnest(x.indkey) WITH ORDINALITY k (number, at)
        LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0) || ')'
      || CASE WHEN x.indisunique THEN ' unique' ELSE '' END
      || CASE WHEN x.indpred IS NOT NULL THEN ' partial' ELSE '' END AS line
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND i.relname <> 'issue_text'
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u'))`),
    triggers:
      await ask(`SELECT g.tgname || ' on ' || t.relname AS line FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
      WHERE NOT g.tgisinternal`),
  }
  await client.end()
  return schema
}
