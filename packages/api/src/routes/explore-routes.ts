/**
 * Spans, lines of logs, metrics and functions of profiles by their fields, in the parameters and the shapes of Sentry's events
 * endpoints: a table, and the same over time. docs/explore.md lists datasets, fields and measures.
 * https://docs.sentry.io/api/explore/query-explore-events-in-table-format/
 * https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/
 */
import {
  type ExploreColumn,
  type ExploreDataset,
  type ExploreTable,
  type ExploreValue,
  offsetOf,
  offsetPage,
  pageLimit,
  parseCursor,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { setLink } from '../pages.ts'
import { performanceOf } from '../query-schemas.ts'
import { asInvalid, datasetOf, EXPLORE, invalid, searchOf, sortOf } from './explore-params.ts'
import { exploreSeriesRoutes } from './explore-series-routes.ts'

/** `{data: [{field: value}], meta: {fields: {field: type}, units: {field: unit}}}`. */
function exploreJson({ columns, rows }: ExploreTable, { name }: ExploreDataset) {
  return {
    data: rows.map((row) =>
      Object.fromEntries(
        columns.map((column, index) => [column.field, valueJson(column, row[index] ?? null)]),
      ),
    ),
    meta: {
      dataset: name,
      fields: Object.fromEntries(columns.map(({ field, kind }) => [field, kind])),
      units: Object.fromEntries(columns.map(({ field, unit }) => [field, unit])),
    },
  }
}

const valueJson = ({ kind }: ExploreColumn, value: ExploreValue): ExploreValue =>
  kind === 'date' && typeof value === 'number' ? new Date(value).toISOString() : value

const MAX_OFFSET = 10_000

const ExploreRows = z
  .object({
    data: z
      .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .meta({ description: 'A row each, by the fields that were asked for; times are ISO 8601.' }),
    meta: z.object({
      dataset: z.string(),
      fields: z.record(z.string(), z.string()).meta({
        description: 'By field what it is: `string`, `integer`, `duration`, `date`, …',
      }),
      units: z
        .record(z.string(), z.string().nullable())
        .meta({ description: 'By field, for example `millisecond`; null: it has none.' }),
    }),
  })
  .meta({ id: 'ExploreRows' })

export function exploreRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  api.get(
    '/organizations/:org/events',
    {
      id: 'listExploreRows',
      summary: 'Query spans, logs, metrics, errors or profiles as a table',
      tag: 'Explore',
      permission: 'event:read',
      query: z.object(EXPLORE),
      pages: true,
      answer: ExploreRows,
    },
    async ({ c, grant, query, page }) => {
      const dataset = datasetOf(query)
      const cursor = parseCursor(page.cursor)
      if (cursor?.kind !== 'offset' || cursor.offset > MAX_OFFSET)
        throw invalid('cursor is not one that this endpoint gave')
      const limit = pageLimit(page.limit, 100)
      const { field: fields = [] } = query
      const table = await asInvalid(() =>
        dataset.table(queries, grant, {
          ...performanceOf(query, queries.clock),
          fields: fields.length === 0 ? dataset.fields : fields,
          query: searchOf(query),
          ...sortOf(query),
          limit,
          offset: offsetOf(cursor),
        }),
      )
      const rows = table.hasMore ? [...table.rows, []] : table.rows
      const { previous, next } = offsetPage(rows, cursor, limit)
      setLink(c, publicUrl, { previous, next })
      return exploreJson(table, dataset)
    },
  )
  exploreSeriesRoutes(api, options)
}
