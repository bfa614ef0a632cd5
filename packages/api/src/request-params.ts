/** Query parameters of lists. What makes no sense is ignored where Sentry's API ignores it, else refused. */
import {
  filterColumns,
  ISSUE_SORTS,
  type IssueSort,
  type ListIssuesInput,
  parsePeriodMs,
  type PerformanceFilter,
} from '@sonde/queries'
import type { ApiContext } from './api-context.ts'
import { type Clock, SondeError } from '@sonde/base'

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
