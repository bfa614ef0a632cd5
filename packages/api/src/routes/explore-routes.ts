/**
 * Spans, lines of logs, metrics and functions of profiles by their fields, in the parameters and the shapes of Sentry's events
 * endpoints: a table, and the same over time. docs/explore.md lists datasets, fields and measures.
 * https://docs.sentry.io/api/explore/query-explore-events-in-table-format/
 * https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/
 */
import {
  EXPLORE_DATASETS,
  type ExploreColumn,
  type ExploreDataset,
  type ExploreTable,
  type ExploreValue,
  offsetOf,
  offsetPage,
  pageLimit,
  parseCursor,
} from '@sonde/queries'
import { type Api, type ApiOptions, orgGrant } from '../api-context.ts'
import { limitParam, performanceParams, setLink } from '../request-params.ts'
import { asInvalid, datasetParam, invalid, queryParam, sortParam } from './explore-params.ts'
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

export function exploreRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  api.get('/organizations/:org/events', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const dataset = datasetParam(c, EXPLORE_DATASETS)
    const cursor = parseCursor(c.req.query('cursor'))
    if (cursor?.kind !== 'offset' || cursor.offset > MAX_OFFSET)
      throw invalid('cursor is not one that this endpoint gave')
    const limit = pageLimit(limitParam(c), 100)
    const fields = c.req.queries('field') ?? []
    const offset = offsetOf(cursor)
    const table = await asInvalid(() =>
      dataset.table(queries, grant, {
        ...performanceParams(c, queries.clock),
        fields: fields.length === 0 ? dataset.fields : fields,
        query: queryParam(c),
        ...sortParam(c),
        limit,
        offset,
      }),
    )
    const rows = table.hasMore ? [...table.rows, []] : table.rows
    const { previous, next } = offsetPage(rows, cursor, limit)
    setLink(c, publicUrl, { previous, next })
    return c.json(exploreJson(table, dataset))
  })
  exploreSeriesRoutes(api, options)
}
