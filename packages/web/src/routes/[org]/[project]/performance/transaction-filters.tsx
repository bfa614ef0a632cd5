import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import type { TransactionOp } from '@sonde/queries'
import { formatCount } from '../../../../format/format-count.ts'
import { OtherParams } from '../../../../shell/other-params.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { readTransactionSearch, withParams } from '../../../../parts/performance/transaction-search.ts'

/** More kinds than these are not read beside each other. */
const SHOWN_OPS = 8

/** Which kind of transactions, and a part of their name. Page loads and queries in one chart are no chart. */
export function TransactionFilters({ ops }: { readonly ops: readonly TransactionOp[] }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { op: shown, query } = readTransactionSearch(params)
  const kinds = ops.slice(0, SHOWN_OPS).map(({ op }) => op)
  // One that does not occur can be left again.
  if (shown !== undefined && !kinds.includes(shown)) kinds.push(shown)
  const counts = new Map(ops.map(({ op, count }) => [op, count]))
  return (
    <div className="transaction-filters">
      <nav className="segmented" aria-label="Kind">
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
            title={`${formatCount(counts.get(op) ?? 0)} transactions`}
          >
            <UserText text={op === '' ? 'without a kind' : op} />
          </Link>
        ))}
      </nav>
      <Form method="get" action={pathname} role="search" className="transaction-search" key={query}>
        <OtherParams params={params} without={['query', 'page', 'cursor']} />
        <input
          className="input"
          type="search"
          name="query"
          aria-label="Search by name"
          placeholder="Part of a name"
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
