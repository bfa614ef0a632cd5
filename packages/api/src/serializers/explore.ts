/** Rows of Explore as Sentry's events endpoint has them: https://docs.sentry.io/api/explore/query-explore-events-in-table-format/ */
import type { ExploreColumn, ExploreTable, ExploreValue } from '@sonde/queries'

/** `{data: [{field: value}], meta: {fields: {field: type}, units: {field: unit}}}`. */
export function exploreJson({ columns, rows }: ExploreTable) {
  return {
    data: rows.map((row) =>
      Object.fromEntries(
        columns.map((column, index) => [column.field, valueJson(column, row[index] ?? null)]),
      ),
    ),
    meta: {
      dataset: 'spans',
      fields: Object.fromEntries(columns.map(({ field, kind }) => [field, kind])),
      units: Object.fromEntries(columns.map(({ field, unit }) => [field, unit])),
    },
  }
}

const valueJson = ({ kind }: ExploreColumn, value: ExploreValue): ExploreValue =>
  kind === 'date' && typeof value === 'number' ? new Date(value).toISOString() : value
