/** Text of issues, indexed: each engine has its own. */
import { type RawBuilder, SqliteAdapter } from 'kysely'
import { postgresTextIndex } from './postgres/postgres-text-index.ts'
import { RecordsAdapter } from './postgres/records-adapter.ts'
import type { Records } from './schema.ts'
import { sqliteTextIndex } from './sqlite/sqlite-text-index.ts'

export type TextIndex = {
  /**
   * A query of the ids of issues of any project that may contain all of these texts in title or culprit, in any case, the
   * newest first and at most `limit`. It may name too many and never too few: callers compare the text again.
   * Undefined when nothing can be looked up: texts shorter than three characters, or none.
   */
  issuesWith(texts: readonly string[], limit: number): RawBuilder<{ id: number }> | undefined
}

/** Without an index nothing can be looked up, and every search walks the issues. */
const NO_INDEX: TextIndex = { issuesWith: () => undefined }

export function textIndexOf(records: Records): TextIndex {
  const { adapter } = records.getExecutor()
  if (adapter instanceof SqliteAdapter) return sqliteTextIndex
  return adapter instanceof RecordsAdapter && adapter.hasTextIndex ? postgresTextIndex : NO_INDEX
}
