/** Query parameters of lists, and their pages. What makes no sense is ignored where Sentry's API ignores it, else refused. */
import { type Clock, SondeError } from '@sonde/base'
import {
  filterColumns,
  ISSUE_SORTS,
  type IssueSort,
  type ListIssuesInput,
  offsetOf,
  offsetPage,
  type Page,
  pageLimit,
  parseCursor,
  parsePeriodMs,
  type PerformanceFilter,
  SearchError,
} from '@sonde/queries'
import type { ApiContext } from './api-context.ts'

/** `statsPeriod` (24 hours unless given), or `start` and `end`, and the columns that performance is narrowed by. */
const DEFAULT_PERIOD = '24h'

/** Throws `SondeError` (`invalid`) for times that are none. Several values of one parameter: any of them. */
export function performanceParams(c: ApiContext, clock: Clock): PerformanceFilter {
  return { ...windowOf(c, clock.nowMs()), ...filterColumns((column) => c.req.queries(column) ?? []) }
}

function windowOf(c: ApiContext, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const start = c.req.query('start')
  const end = c.req.query('end')
  if (start !== undefined && end !== undefined) {
    const [fromMs, toMs] = [utcMs(start), utcMs(end)]
    if (!(fromMs < toMs)) throw invalid('start and end', 'need two times, the earlier one first')
    return { fromMs, toMs }
  }
  const text = c.req.query('statsPeriod') ?? DEFAULT_PERIOD
  const periodMs = parsePeriodMs(text)
  if (periodMs === undefined || periodMs === 0) throw invalid('statsPeriod', 'is for example 24h, 14d or 90m')
  return { fromMs: Math.max(0, nowMs - periodMs), toMs: nowMs }
}

/** `start` and `end`, each of which may be absent. Throws `SondeError` (`invalid`) for times that are none. */
export function optionalWindow(c: ApiContext): { readonly fromMs?: number; readonly toMs?: number } {
  const [start, end] = [c.req.query('start'), c.req.query('end')]
  const [fromMs, toMs] = [start === undefined ? 0 : utcMs(start), end === undefined ? 0 : utcMs(end)]
  if (Number.isNaN(fromMs) || Number.isNaN(toMs))
    throw invalid('start and end', 'are times as 2026-03-01T14:00:00')
  return { ...(start !== undefined && { fromMs }), ...(end !== undefined && { toMs }) }
}

/** Without an offset UTC, as in Sentry's API. */
const utcMs = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

function invalid(subject: string, what: string): SondeError {
  return new SondeError('invalid', `${subject} ${what}`, { operation: 'read the parameters', subject })
}

/** `limit` or `per_page`. Undefined when absent or not a number. */
export function limitParam(c: ApiContext): number | undefined {
  const text = c.req.query('limit') ?? c.req.query('per_page')
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}

/** Sentry has more orders (`trends`, `inbox`, …); clients that ask for those get the default one. */
const sortParam = (c: ApiContext): IssueSort | undefined =>
  ISSUE_SORTS.find((sort) => sort === c.req.query('sort'))

export function issueListParams(c: ApiContext): Omit<ListIssuesInput, 'grant'> {
  return {
    query: c.req.query('query'),
    statsPeriod: c.req.query('statsPeriod'),
    start: c.req.query('start'),
    end: c.req.query('end'),
    sort: sortParam(c),
    limit: limitParam(c),
    cursor: c.req.query('cursor'),
    environments: c.req.queries('environment'),
    projectIds: projectIdsParam(c),
  }
}

/** `-1` is Sentry's "all projects", and so is none. */
export const projectIdsParam = (c: ApiContext): readonly number[] =>
  (c.req.queries('project') ?? []).filter((id) => /^\d{1,15}$/.test(id)).map(Number)

// Pagination of Sentry's public API: both relations are always there, also without results, and clients follow `next`
// only with `results="true"` (https://docs.sentry.io/api/pagination/).

/** Sets `Link`. The other parameters of the request stay in the addresses. */
export function setLink(c: ApiContext, publicUrl: string, page: Omit<Page<unknown>, 'rows'>): void {
  const link = (rel: 'previous' | 'next'): string => {
    const { cursor, hasResults } = page[rel]
    const request = new URL(c.req.url)
    const url = new URL(request.pathname, publicUrl)
    url.search = request.search
    url.searchParams.set('cursor', cursor)
    return `<${url.href}>; rel="${rel}"; results="${hasResults}"; cursor="${cursor}"`
  }
  c.header('link', `${link('previous')}, ${link('next')}`)
}

/** `Link` for an answer that is never more than one page. */
export const setSinglePage = (c: ApiContext, publicUrl: string): void => {
  setLink(c, publicUrl, {
    previous: { cursor: '0:0:1', hasResults: false },
    next: { cursor: '0:100:0', hasResults: false },
  })
}

// Pages of lists that are short enough to be read whole.

/** A hundred rows unless the request wants fewer. Sets `Link`. Throws `SearchError` for a cursor that is none. */
export function setPage<Row>(c: ApiContext, publicUrl: string, all: readonly Row[]): readonly Row[] {
  const text = c.req.query('cursor')
  const cursor = parseCursor(text)
  if (cursor === undefined) throw new SearchError(`cursor "${text}" is not one of ours`, 0)
  const limit = pageLimit(limitParam(c), 100)
  const offset = offsetOf(cursor)
  const page = offsetPage(all.slice(offset, offset + limit + 1), cursor, limit)
  setLink(c, publicUrl, page)
  return page.rows
}
