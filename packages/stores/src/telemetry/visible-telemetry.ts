/**
 * Telemetry as people see it: events of issues that were deleted and can still be restored are not there. Projects need
 * nothing: queries name theirs, and nobody is granted a hidden one.
 */
import { hiddenIssues } from '../records/recently-deleted.ts'
import type { Records } from '../records/schema.ts'
import type { QueryParams, Telemetry } from './telemetry.ts'

type Tables = readonly (readonly [table: string, condition: string])[]

/**
 * The engine's own setting narrows each reading of these tables, also within subqueries:
 * https://clickhouse.com/docs/operations/settings/settings#additional_table_filters. As a text (between
 * dollars, because quotes within quotes are not read), for a list of twenty thousand literals takes the engine a second.
 */
const filterOf = (ids: readonly number[]): Tables =>
  ['events', 'event_index'].map((table) => [
    table,
    `issue_id NOT IN (SELECT arrayJoin(CAST($ids$[${ids.join(',')}]$ids$, $type$Array(UInt64)$type$)))`,
  ])

/** Whether the statement itself ends in settings, and not only one within it. */
const hasSettings = (sql: string): boolean =>
  /\bSETTINGS\b/.test(sql.slice(Math.max(sql.lastIndexOf('('), sql.lastIndexOf(')')) + 1))

/** A statement that reads no row of these issues. Numbers alone: they stand in the text. */
export function withoutIssues(sql: string, ids: readonly number[]): string {
  if (ids.length === 0) return sql
  const filters = filterOf(ids).map(([table, condition]) => `'${table}': '${condition}'`)
  return `${sql}${hasSettings(sql) ? ',' : ' SETTINGS'} additional_table_filters = {${filters.join(', ')}}`
}

/** `records`: with all rows. Asks them before each query: what was deleted a moment ago is gone on the next page. */
export function visibleTelemetry<Engine extends Pick<Telemetry, 'query'>>(
  telemetry: Engine,
  records: Records,
): Engine {
  const visible = {
    ...telemetry,
    async query<Row>(sql: string, params?: QueryParams) {
      const ids = /\bevent(?:s|_index)\b/.test(sql) ? await hiddenIssues(records) : []
      return telemetry.query<Row>(withoutIssues(sql, ids), params)
    },
  }
  stored.set(visible, telemetry)
  return visible
}

const stored = new WeakMap<object, unknown>()

/** All rows again, for what must reach what is hidden: what is stored of a person. */
export const withHiddenRows = <Engine extends Pick<Telemetry, 'query'>>(telemetry: Engine): Engine =>
  (stored.get(telemetry) as Engine | undefined) ?? telemetry
