/**
 * What SQLite and PostgreSQL write differently, said once in words that both take. Whatever else differs between them is
 * a migration, the text index or the keys. The records' conformance suite runs each.
 */
import { type Expression, type RawBuilder, type ReferenceExpression, type SqlBool, sql } from 'kysely'
import type { Records, RecordsSchema } from './schema.ts'

/** How many rows hold it. SQLite would sum a comparison, PostgreSQL would not. */
export const countIf = (condition: Expression<SqlBool> | RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`count(*) filter (where ${condition})`

/** Of two that may be null; null when both are. `min(a, b)` is an aggregate in PostgreSQL, `least(a, b)` unknown to SQLite. */
export const least = <Value>(a: Expression<Value>, b: Expression<Value>): RawBuilder<Value> =>
  sql<Value>`case when ${a} is null or ${b} < ${a} then ${b} else ${a} end`
export const greatest = <Value>(a: Expression<Value>, b: Expression<Value>): RawBuilder<Value> =>
  sql<Value>`case when ${a} is null or ${b} > ${a} then ${b} else ${a} end`

/**
 * By a range of the column's index. The column has to compare by code points: SQLite's do unless told otherwise, in
 * PostgreSQL it is a column with `collate "C"`. `prefix` is not empty.
 */
export function startsWith<Table extends keyof RecordsSchema>(
  column: ReferenceExpression<RecordsSchema, Table> & string,
  prefix: string,
): RawBuilder<SqlBool> {
  const chars = Array.from(prefix)
  const last = chars.pop()?.codePointAt(0) ?? 0
  const end = `${chars.join('')}${String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1)}`
  return sql<SqlBool>`(${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${end})`
}

/**
 * Whether a column contains a text, ASCII letters in either case: SQLite's `like` does that by itself, PostgreSQL's does
 * not, and only in PostgreSQL `\` is special unless told otherwise.
 */
export function contains<Table extends keyof RecordsSchema>(
  column: ReferenceExpression<RecordsSchema, Table> & string,
  text: string,
): RawBuilder<SqlBool> {
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const pattern = `%${lower.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

/**
 * The time of the records, in Unix milliseconds, and so many more: the same for all processes whose records they are, however
 * their machines' clocks differ. In SQLite that is the machine's.
 */
export const nowMs = (plus = 0): RawBuilder<number> => sql<number>`(now_ms() + ${sql.lit(plus)})`

/** The function, where a server has the clock. */
export const NOW_MS_POSTGRES =
  'CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$'

const VERSIONS = {
  settings: 'settings_epoch',
  artifacts: 'artifact_epoch',
  access: 'access_epoch',
} as const

/**
 * Another number after each change of the project settings, of uploaded files, or of who may read what. Read before what it is the version of:
 * a change in between is then seen at the next look.
 */
export async function readVersion(records: Records, of: keyof typeof VERSIONS): Promise<number> {
  const { value } = await records.selectFrom(VERSIONS[of]).select('value').executeTakeFirstOrThrow()
  return value
}
