/**
 * Spans and lines of logs by any attribute, in the parameters and the shape of Sentry's events endpoint
 * (https://docs.sentry.io/api/explore/query-explore-events-in-table-format/). docs/explore.md lists fields and measures.
 */
import { SondeError } from '@sonde/base'
import {
  type ExploreColumn,
  ExploreError,
  exploreSpans,
  type ExploreTable,
  type ExploreValue,
  LOG_ROWS,
  offsetOf,
  offsetPage,
  pageLimit,
  parseCursor,
  valueText,
} from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, orgGrant } from '../api-context.ts'
import { limitParam, performanceParams, setLink } from '../request-params.ts'

// Rows of Explore as Sentry's events endpoint has them: https://docs.sentry.io/api/explore/query-explore-events-in-table-format/

/** `{data: [{field: value}], meta: {fields: {field: type}, units: {field: unit}}}`. */
function exploreJson({ columns, rows }: ExploreTable, dataset: 'spans' | 'ourlogs') {
  return {
    data: rows.map((row) =>
      Object.fromEntries(
        columns.map((column, index) => [column.field, valueJson(column, row[index] ?? null)]),
      ),
    ),
    meta: {
      dataset,
      fields: Object.fromEntries(columns.map(({ field, kind }) => [field, kind])),
      units: Object.fromEntries(columns.map(({ field, unit }) => [field, unit])),
    },
  }
}

const valueJson = ({ kind }: ExploreColumn, value: ExploreValue): ExploreValue =>
  kind === 'date' && typeof value === 'number' ? new Date(value).toISOString() : value

/** `spansIndexed` and `spansMetrics` are what clients called spans before. */
const SPAN_DATASETS: readonly string[] = ['spans', 'spansIndexed', 'spansMetrics']
const LOG_DATASETS: readonly string[] = ['ourlogs', 'logs']
const DEFAULT_FIELDS = [
  'id',
  'span.op',
  'span.description',
  'span.duration',
  'transaction',
  'timestamp',
  'trace',
]
const DEFAULT_LOG_FIELDS = ['id', 'timestamp', 'severity', 'message', 'trace']
const MAX_OFFSET = 10_000

export function exploreRoutes(api: Api, { queries, publicUrl }: ApiOptions): void {
  api.get('/organizations/:org/events', async (c) => {
    const grant = await orgGrant(c, 'event:read')
    const dataset = c.req.query('dataset') ?? ''
    const isOfLogs = LOG_DATASETS.includes(dataset)
    if (!isOfLogs && !SPAN_DATASETS.includes(dataset))
      throw invalid(`dataset "${dataset}" is not known: use dataset=spans or dataset=ourlogs`)
    const cursor = parseCursor(c.req.query('cursor'))
    if (cursor?.kind !== 'offset' || cursor.offset > MAX_OFFSET)
      throw invalid('cursor is not one that this endpoint gave')
    const limit = pageLimit(limitParam(c), 100)
    const fields = c.req.queries('field') ?? []
    const offset = offsetOf(cursor)
    const table = await asInvalid(() =>
      exploreSpans(
        queries,
        grant,
        {
          ...performanceParams(c, queries.clock),
          fields: fields.length === 0 ? (isOfLogs ? DEFAULT_LOG_FIELDS : DEFAULT_FIELDS) : fields,
          query: `${c.req.query('query') ?? ''}${projectTerm(c)}`,
          ...sortOf(c),
          limit,
          offset,
        },
        isOfLogs ? LOG_ROWS : undefined,
      ),
    )
    const rows = table.hasMore ? [...table.rows, []] : table.rows
    const { previous, next } = offsetPage(rows, cursor, limit)
    setLink(c, publicUrl, { previous, next })
    return c.json(exploreJson(table, isOfLogs ? 'ourlogs' : 'spans'))
  })
}

const sortOf = (c: ApiContext): { sort?: string } => {
  const sort = c.req.query('sort')
  return sort === undefined ? {} : { sort }
}

/** Ids or short names; `-1` is Sentry's "all projects", and so is none. */
function projectTerm(c: ApiContext): string {
  const named = (c.req.queries('project') ?? []).filter((project) => project !== '' && project !== '-1')
  if (named.length === 0) return ''
  const areIds = named.every((project) => /^\d{1,9}$/.test(project))
  return ` ${areIds ? 'project.id' : 'project'}:[${named.map((project) => valueText(project)).join(', ')}]`
}

/** What to do stands in the hint, and clients show `detail` alone. */
async function asInvalid<Result>(job: () => Promise<Result>): Promise<Result> {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof ExploreError) || error.hint === undefined) throw error
    throw invalid(`${error.message}. ${error.hint}`)
  }
}

const invalid = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'explore spans', subject: 'the parameters' })
