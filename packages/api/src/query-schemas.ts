/** Query parameters that many operations have. What makes no sense is ignored where Sentry's API ignores it, else refused. */
import { type Clock, SondeError } from '@sonde/base'
import {
  FILTER_COLUMNS,
  filterColumns,
  ISSUE_SORTS,
  type ListIssuesInput,
  parsePeriodMs,
  type PerformanceFilter,
} from '@sonde/queries'
import { z } from 'zod'

/** Everything in a query is text; a number that is none is no number at all. */
const count = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .optional()
  .catch(undefined)

export const rowLimit = count.meta({
  description: 'How many rows at most.',
  override: { type: 'integer', minimum: 0 },
})

/** Of operations with `pages`. */
export const PageQuery = z.object({
  cursor: z
    .string()
    .optional()
    .meta({
      description: 'Of the header `Link` of another page. The first page unless given.',
      param: { id: 'query.cursor' },
    }),
  per_page: rowLimit.meta({
    description: 'Rows of a page.',
    override: { type: 'integer', minimum: 1 },
    param: { id: 'query.per_page' },
  }),
  limit: rowLimit.meta({
    description: 'The same as `per_page`.',
    override: { type: 'integer', minimum: 1 },
    param: { id: 'query.limit' },
  }),
})
export type PageInput = { readonly cursor: string | undefined; readonly limit: number | undefined }
export const pageInput = ({ cursor, per_page, limit }: z.output<typeof PageQuery>): PageInput => ({
  cursor,
  limit: limit ?? per_page,
})

/** `id`: of parameters that many operations have, which the document writes down once. */
export const text = (description: string, id?: string) =>
  z
    .string()
    .optional()
    .meta({ description, ...(id !== undefined && { param: { id: `query.${id}` } }) })
export const texts = (description: string, id?: string) =>
  z
    .array(z.string())
    .optional()
    .meta({ description, ...(id !== undefined && { param: { id: `query.${id}` } }) })

/** `-1` is Sentry's "all projects", and so is none. */
export const projectIds = z
  .array(z.string())
  .default([])
  .transform((given) => given.filter((id) => /^\d{1,15}$/.test(id)).map(Number))
  .meta({
    description: 'Ids of projects; -1 and none: all of them.',
    param: { id: 'query.project' },
    override: { type: 'array', items: { type: 'string' } },
  })

export const environments = texts('Any of these environments.', 'environments')

/** `statsPeriod` (24 hours unless given), or `start` and `end`. */
export const WINDOW = {
  statsPeriod: text('The time until now, for example `24h`, `14d` or `90m`.', 'statsPeriod'),
  start: text('The first moment, ISO 8601; UTC without an offset.', 'start'),
  end: text('The moment after the last one.', 'end'),
}

type FilterColumn = (typeof FILTER_COLUMNS)[number]

/** And the columns that performance is narrowed by. */
export const PERFORMANCE = {
  ...WINDOW,
  ...(Object.fromEntries(
    FILTER_COLUMNS.map((column) => [column, texts('Any of these values.', column)]),
  ) as Record<FilterColumn, ReturnType<typeof texts>>),
}

type WindowQuery = z.output<z.ZodObject<typeof WINDOW>>
type PerformanceQuery = z.output<z.ZodObject<typeof PERFORMANCE>>

const DEFAULT_PERIOD = '24h'

/** Throws `SondeError` (`invalid`) for times that are none. */
export function windowOf(
  { statsPeriod = DEFAULT_PERIOD, start, end }: WindowQuery,
  { nowMs: now }: Clock,
): { readonly fromMs: number; readonly toMs: number } {
  if (start !== undefined && end !== undefined) {
    const [fromMs, toMs] = [utcMs(start), utcMs(end)]
    if (!(fromMs < toMs)) throw invalid('start and end', 'need two times, the earlier one first')
    return { fromMs, toMs }
  }
  const periodMs = parsePeriodMs(statsPeriod)
  if (periodMs === undefined || periodMs === 0) throw invalid('statsPeriod', 'is for example 24h, 14d or 90m')
  const nowMs = now()
  return { fromMs: Math.max(0, nowMs - periodMs), toMs: nowMs }
}

/** The same with the columns: several values of one are any of them. */
export const performanceOf = (query: PerformanceQuery, clock: Clock): PerformanceFilter => ({
  ...windowOf(query, clock),
  ...filterColumns((column) => query[column] ?? []),
})

/** `start` and `end`, each of which may be absent. Throws `SondeError` (`invalid`) for times that are none. */
export function optionalWindow({ start, end }: Pick<WindowQuery, 'start' | 'end'>) {
  const [fromMs, toMs] = [start === undefined ? 0 : utcMs(start), end === undefined ? 0 : utcMs(end)]
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    throw invalid('start and end', 'are times as 2026-03-01T14:00:00')
  return { ...(start !== undefined && { fromMs }), ...(end !== undefined && { toMs }) }
}

/** Without an offset UTC, as in Sentry's API. */
const utcMs = (time: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)

function invalid(subject: string, what: string): SondeError {
  return new SondeError('invalid', `${subject} ${what}`, { operation: 'read the parameters', subject })
}

/** Which issues. */
export const ISSUES = {
  query: text('A search, as in the list of issues; `is:unresolved` unless given.'),
  ...WINDOW,
  sort: text(`One of ${ISSUE_SORTS.join(', ')}; another one of Sentry is the default one.`),
  environment: environments,
  project: projectIds,
}

export const issuesOf = (query: z.output<z.ZodObject<typeof ISSUES>>): Omit<ListIssuesInput, 'grant'> => ({
  query: query.query,
  statsPeriod: query.statsPeriod,
  start: query.start,
  end: query.end,
  // Sentry has more orders (`trends`, `inbox`, …); clients that ask for those get the default one.
  sort: ISSUE_SORTS.find((sort) => sort === query.sort),
  environments: query.environment,
  projectIds: query.project,
})
