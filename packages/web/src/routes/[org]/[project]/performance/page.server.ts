/** The list of routes and transactions with their changes, and the charts above it. */
import type { Grant } from '@sonde/access'
import {
  certainChange,
  type Compared,
  MAX_COMPARED,
  type MeasureChange,
  type PerformanceFilter,
  projectKeys,
  type QueryDeps,
  type RouteTransaction,
  type TransactionChange,
  transactionChanges,
  transactionOps,
  transactionPage,
  transactionSeries,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import {
  type Order,
  PAGE_ROWS,
  readTransactionSearch,
  type TransactionSearch,
} from '../../../../parts/performance/transaction-search.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export type ListedTransaction = RouteTransaction &
  Partial<MeasureChange> & {
    /** Rows of the previous period. */
    readonly samplesBefore?: number
  }

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const search = readTransactionSearch(params)
  const input = { ...filter, op: search.op }
  const [listed, series, ops, choices] = await Promise.all([
    listOf(queries, grant, input, search),
    transactionSeries(queries, grant, input),
    transactionOps(queries, grant, filter),
    filterChoices(queries, grant, { params, nowMs, source: 'transactions' }),
  ])
  const keys = series.total === 0 ? await projectKeys(queries, grant) : []
  return {
    ...listed,
    series,
    ops,
    choices,
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isFiltered(params) || search.op !== undefined,
  }
}

type Listed = { readonly rows: readonly ListedTransaction[]; readonly total: number }

async function listOf(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  filter: PerformanceFilter & { readonly op: string | undefined },
  search: TransactionSearch,
): Promise<Listed> {
  const { query, order, measure } = search
  const offset = (search.page - 1) * PAGE_ROWS
  // Per minute is the count of the same minutes.
  const sort = search.sort === 'perMinute' ? 'count' : search.sort
  if (sort !== 'change') {
    const page = await transactionPage(queries, grant, {
      ...filter,
      query,
      sort,
      order,
      offset,
      limit: PAGE_ROWS,
    })
    const input = { ...filter, measures: [measure], routes: page.rows }
    const changes = await transactionChanges(queries, grant, input)
    return { total: page.total, rows: withChanges(page.rows, changes, measure) }
  }
  const page = await transactionPage(queries, grant, { ...filter, query, limit: MAX_COMPARED })
  const changes = await transactionChanges(queries, grant, { ...filter, measures: [measure] })
  const ranked = withChanges(page.rows, changes, measure).toSorted(byCertainChange(order))
  // Sorted here, not by the engine: only the most frequent are compared.
  return { total: ranked.length, rows: ranked.slice(offset, offset + PAGE_ROWS) }
}

/** Sorts by certain change; equally certain ones keep their order, the most frequent first. */
export function byCertainChange(order: Order): (a: ListedTransaction, b: ListedTransaction) => number {
  const rankOf = ({ change }: ListedTransaction): number => (change ? certainChange(change) : 0)
  return (a, b) => (order === 'asc' ? 1 : -1) * (rankOf(a) - rankOf(b))
}

export function withChanges(
  rows: readonly RouteTransaction[],
  changes: readonly TransactionChange[],
  measure: Compared,
): readonly ListedTransaction[] {
  const keyOf = ({ op, name }: { readonly op: string; readonly name: string }): string =>
    JSON.stringify([op, name])
  const byRoute = new Map(changes.map((each) => [keyOf(each), each]))
  return rows.map((row) => {
    const found = byRoute.get(keyOf(row))
    return found ? { ...row, ...found.changes[measure], samplesBefore: found.samples[1] } : row
  })
}
