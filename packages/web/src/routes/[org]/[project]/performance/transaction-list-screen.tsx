import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { FilterValue, TransactionOp } from '@sonde/queries'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { type FilterId, withoutFilters } from '../../../../parts/filter-bar/filter-state.ts'
import { NothingMeasured } from '../../../../parts/performance/nothing-measured.tsx'
import { type ShownSeries, TransactionCharts } from './transaction-charts.tsx'
import { TransactionFilters } from './transaction-filters.tsx'
import { TransactionPages } from './transaction-pages.tsx'
import { withParams } from '../../../../parts/performance/transaction-search.ts'
import { type ShownTransaction, TransactionTable } from './transaction-table.tsx'

type Props = {
  readonly org: string
  readonly project: string
  readonly rows: readonly ShownTransaction[]
  readonly total: number
  readonly series: ShownSeries
  readonly ops: readonly TransactionOp[]
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
  readonly dsn?: string | undefined
  readonly isNarrowed: boolean
}

/** Which routes are slow, fail, or became worse; above them the same over time. */
export function TransactionListScreen({ org, project, ...data }: Props) {
  const { rows, total, series, ops, choices, dsn, isNarrowed } = data
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Performance of {project}</h1>
      <FilterBar org={org} project={project} source="transactions" choices={choices} />
      {series.total === 0 && ops.length === 0 ? (
        <NothingMeasured
          title="No transactions yet"
          what="Page loads, navigations and requests that servers answered, by route: how many, how long, how many failed."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <>
          <TransactionFilters ops={ops} />
          <TransactionCharts series={series} />
          {rows.length === 0 ? (
            <NothingMatches />
          ) : (
            <>
              <TransactionTable org={org} project={project} rows={rows} />
              <TransactionPages shown={rows.length} total={total} />
            </>
          )}
        </>
      )}
    </div>
  )
}

function NothingMatches() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <EmptyState title="No route matches">
      <p>
        <Link to={pathname + withParams(params, { query: undefined, op: undefined })} prefetch="none">
          Show all routes
        </Link>{' '}
        or{' '}
        <Link to={pathname + withoutFilters(params)} prefetch="none">
          take the filters away
        </Link>
        .
      </p>
    </EmptyState>
  )
}
