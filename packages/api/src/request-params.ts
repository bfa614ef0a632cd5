/** Query parameters of lists. What makes no sense is ignored where Sentry's API ignores it, else refused. */
import { ISSUE_SORTS, type IssueSort, type ListIssuesInput } from '@sonde/queries'
import type { ApiContext } from './api-context.ts'

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
