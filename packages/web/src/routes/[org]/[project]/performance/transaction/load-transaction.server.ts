/** One route: how it is and how it changed, over time, where its time goes, its slowest traces and its errors. */
import type { Grant } from '@sonde/access'
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
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { filterChoices, performanceFilterOf } from '../../../../../parts/filter-bar/filter-of.server.ts'

const SLOWEST = 10

export async function loadTransaction(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const [op, name] = [params.get('op'), params.get('name')]
  // A page of no route is none; a route that has nothing in this time is one, and says so.
  if (op === null || name === null) return notFound()
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const asked = { ...filter, op, name }
  const [row, compared, series, time, traces, issues, splits, choices] = await Promise.all([
    rowOf(queries, grant, asked),
    changesOf(queries, grant, filter, { op, name }),
    transactionSeries(queries, grant, asked),
    transactionTime(queries, grant, asked),
    slowestTransactions(queries, grant, { ...asked, limit: SLOWEST }),
    transactionIssues(queries, grant, { ...filter, name }),
    transactionBreakdown(queries, grant, asked),
    filterChoices(queries, grant, { params, nowMs, source: 'transactions' }),
  ])
  return { op, name, row, compared, series, time, traces, issues, splits, choices }
}

/** Its line of the list; undefined when there is none in this time. */
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
