/** One transaction: its measures and changes, its time breakdown, slowest traces and errors. */
import { type Grant, mayAlso } from '@sonde/access'
import {
  COMPARED,
  type PerformanceFilter,
  type QueryDeps,
  slowestTransactions,
  transactionBreakdown,
  transactionChanges,
  transactionIssues,
  transactionPage,
  type TransactionRef,
  transactionSeries,
  transactionTime,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { filterChoices, performanceFilterOf } from '../../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

const SLOWEST = 10

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const [op, name] = [params.get('op'), params.get('name')]
  // Without a route there is no page; a route without data in this time range has one.
  if (op === null || name === null) return notFound()
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const input = { ...filter, op, name }
  const [row, compared, series, time, traces, issues, splits, choices] = await Promise.all([
    rowOf(queries, grant, input),
    changesOf(queries, grant, filter, { op, name }),
    transactionSeries(queries, grant, input),
    transactionTime(queries, grant, input),
    slowestTransactions(queries, grant, { ...input, limit: SLOWEST }),
    transactionIssues(queries, grant, { ...filter, name }),
    transactionBreakdown(queries, grant, input),
    filterChoices(queries, grant, { params, nowMs, source: 'transactions' }),
  ])
  const mayAlert = mayAlso(grant, 'alert:write')
  return { op, name, row, compared, series, time, traces, issues, splits, choices, mayAlert }
}

/** The row of the list; undefined without data in this time range. */
async function rowOf(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  { name, ...filter }: PerformanceFilter & TransactionRef,
) {
  const page = await transactionPage(queries, grant, { ...filter, name, limit: 1 })
  return page.rows[0]
}

async function changesOf(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter,
  route: TransactionRef,
) {
  const found = await transactionChanges(queries, grant, { ...filter, measures: COMPARED, routes: [route] })
  return found[0]
}
