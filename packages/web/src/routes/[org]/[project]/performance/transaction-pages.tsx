import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import {
  PAGE_ROWS,
  readTransactionSearch,
  withParams,
} from '../../../../parts/performance/transaction-search.ts'

/** Which of how many are shown, and the ways on. */
export function TransactionPages({ shown, total }: { readonly shown: number; readonly total: number }) {
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
          ? `${formatExact(total)} ${total === 1 ? 'route or transaction' : 'routes and transactions'}`
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
