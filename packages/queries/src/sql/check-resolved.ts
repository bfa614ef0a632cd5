/**
 * The third wall: what the engine's analyzer made of the names (`EXPLAIN QUERY TREE`), in the database of the console. All
 * tables that would be read have to be views of that database, whatever they are called in the statement.
 */
import { isOfferedFunction } from './offered-functions.ts'
import { notOffered } from './check-tokens.ts'
import { SqlRefused } from './sql-refused.ts'

const TABLE = /^ *TABLE id: \d+,(?: alias: [^,]*,)? table_name: (.*)$/
const FUNCTION = /^ *FUNCTION id: \d+, function_name: ([^,]+),/

/** What the analyzer puts in for what was written; they read nothing either. */
const ADDED: ReadonlySet<string> = new Set(['_CAST', '__scalarSubqueryResult', 'nothing', 'nothingUInt64'])

/** Throws `SqlRefused`. */
export function checkResolved(lines: readonly string[], database: string, tables: ReadonlySet<string>): void {
  for (const line of lines) {
    if (/^ *TABLE_FUNCTION /.test(line)) throw new SqlRefused('table functions are not offered')
    if (/^ *TABLE (?!EXPRESSION)/.test(line)) {
      const named = TABLE.exec(line)?.[1]?.split(' ')[0]?.split(',')[0] ?? ''
      const isOurs = named.startsWith(`${database}.`) && tables.has(named.slice(database.length + 1))
      if (!isOurs && named !== 'system.one') throw new SqlRefused('a table in this statement is not offered')
    }
    const name = FUNCTION.exec(line)?.[1]
    if (name !== undefined && !isOfferedFunction(name) && !ADDED.has(name)) throw notOffered(name)
  }
}
