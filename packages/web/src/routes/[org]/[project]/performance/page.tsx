import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/performance/transactions.css'
import type { FilterValue, TransactionOp } from '@sonde/queries'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { type FilterId, withoutFilters } from '../../../../parts/filter-bar/filter-state.ts'
import { NothingMeasured } from '../../../../parts/performance/nothing-measured.tsx'
import { type ShownSeries, TransactionCharts } from '../../../../parts/performance/transaction-charts.tsx'
import {
  PAGE_ROWS,
  readTransactionSearch,
  withParams,
} from '../../../../parts/performance/transaction-search.ts'
import { OtherParams } from '../../../../shell/range-form.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { type ShownTransaction, TransactionTable } from './transaction-table.tsx'

export const title = (): string => 'Performance · Sonde'

export default function Performance() {
  const data = usePageData<typeof load>()
  return <TransactionListScreen {...useParams<'org' | 'project'>()} {...data} />
}

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

/** Routes and transactions with their changes, below charts of the same over time. */
function TransactionListScreen({ org, project, ...data }: Props) {
  const { rows, total, series, ops, choices, dsn, isNarrowed } = data
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Performance of {project}</h1>
      <FilterBar org={org} project={project} source="transactions" choices={choices} />
      {series.total === 0 && ops.length === 0 ? (
        <NothingMeasured
          title="No transactions yet"
          what="Page loads, navigations and server requests by route, with throughput, latency and failure rate."
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
    <EmptyState title="No matching routes">
      <p>
        <Link to={pathname + withParams(params, { query: undefined, op: undefined })} prefetch="none">
          Show all routes
        </Link>{' '}
        or{' '}
        <Link to={pathname + withoutFilters(params)} prefetch="none">
          clear filters
        </Link>
        .
      </p>
    </EmptyState>
  )
}

/** More operations than these do not fit side by side. */
const SHOWN_OPS = 8

/** Filters by operation and name. */
function TransactionFilters({ ops }: { readonly ops: readonly TransactionOp[] }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { op: shown, query } = readTransactionSearch(params)
  const kinds = ops.slice(0, SHOWN_OPS).map(({ op }) => op)
  // A selected operation without transactions stays, so that it can be deselected.
  if (shown !== undefined && !kinds.includes(shown)) kinds.push(shown)
  const counts = new Map(ops.map(({ op, count }) => [op, count]))
  return (
    <div className="transaction-filters">
      <nav className="segmented" aria-label="Operation">
        <Link
          to={pathname + withParams(params, { op: undefined })}
          prefetch="none"
          aria-current={shown === undefined ? 'true' : undefined}
        >
          All
        </Link>
        {kinds.map((op) => (
          <Link
            key={op}
            to={pathname + withParams(params, { op })}
            prefetch="none"
            aria-current={op === shown ? 'true' : undefined}
            title={countOf(counts.get(op) ?? 0, 'transaction')}
          >
            <UserText text={op === '' ? 'no operation' : op} />
          </Link>
        ))}
      </nav>
      <Form method="get" action={pathname} role="search" className="transaction-search" key={query}>
        <OtherParams params={params} without={['query', 'page', 'cursor']} />
        <input
          className="input"
          type="search"
          name="query"
          aria-label="Filter by name"
          placeholder="Filter by name"
          defaultValue={query}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
        />
        <button type="submit" className="button">
          Search
        </button>
      </Form>
    </div>
  )
}

/** The shown range and links to the other pages. */
function TransactionPages({ shown, total }: { readonly shown: number; readonly total: number }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { page } = readTransactionSearch(params)
  const first = (page - 1) * PAGE_ROWS + 1
  const step = (name: string, to: number, isThere: boolean) =>
    isThere ? (
      <Link
        className="button button-small"
        to={pathname + withParams(params, { page: to === 1 ? undefined : String(to) })}
        prefetch="intent"
      >
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  return (
    <div className="transaction-pages">
      <p className="muted">
        {total <= PAGE_ROWS && page === 1
          ? countOf(total, 'transaction')
          : `${formatExact(first)}–${formatExact(first + shown - 1)} of ${formatExact(total)}`}
      </p>
      {total > PAGE_ROWS && (
        <nav aria-label="Pages">
          {step('Previous', page - 1, page > 1)}
          {step('Next', page + 1, page * PAGE_ROWS < total)}
        </nav>
      )}
    </div>
  )
}
