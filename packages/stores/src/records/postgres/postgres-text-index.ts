/**
 * Trigrams of `pg_trgm` (https://www.postgresql.org/docs/current/pgtrgm.html), which the owner of a database may add to it
 * where the package is installed. Without it nothing can be looked up, and searches walk the issues.
 */
import type { Logger } from '@sonde/base'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type pg from 'pg'
import type { TextIndex } from '../text-index.ts'

/** No migration: the extension may be installed, or taken away, later. True when there is an index. */
export async function makeTextIndex(client: pg.Client, logger: Logger): Promise<boolean> {
  const { rows } = await client.query(`SELECT 1 FROM pg_indexes
    WHERE indexname = 'issue_text' AND schemaname = current_schema()`)
  if (rows.length > 0) return true
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await client.query(
      'CREATE INDEX issue_text ON issue USING gin (title gin_trgm_ops, culprit gin_trgm_ops)',
    )
    return true
  } catch (error) {
    logger.warn(
      { reason: (error as Error).message },
      'searches for texts of issues are slow: PostgreSQL has no extension pg_trgm, or this user may not add it',
    )
    return false
  }
}

const TRIGRAM_CHARS = 3
/** More say little that the others have not said; each is a look-up. */
const MAX_TEXTS = 8

export const postgresTextIndex: TextIndex = {
  issuesWith(texts, limit) {
    const long = texts.filter((text) => Array.from(text).length >= TRIGRAM_CHARS).slice(0, MAX_TEXTS)
    if (long.length === 0) return undefined
    const conditions = sql.join(long.map(contains), sql` and `)
    return sql`select id from issue where ${conditions} order by id desc limit ${limit}`
  },
}

/** Only ASCII letters of either case are the same in a column that compares by bytes: others may be anything. */
function contains(text: string): RawBuilder<SqlBool> {
  const escaped = text.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll(/\P{ASCII}+/gu, '%')
  const pattern = `%${escaped}%`
  return sql<SqlBool>`(title ilike ${pattern} or culprit ilike ${pattern})`
}
