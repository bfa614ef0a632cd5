import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { withReleaseParams } from './release-search.ts'

type PagesProps = {
  readonly page: number
  readonly shown: number
  readonly total: number
  /** Of one page. */
  readonly rows: number
  readonly noun: readonly [one: string, many: string]
  /** In the address. */
  readonly param: string
  readonly fragment?: string
}

/** The shown range and links to the other pages. */
export function Pages({ page, shown, total, rows, noun: [one, many], param, fragment = '' }: PagesProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const first = (page - 1) * rows + 1
  const step = (name: string, to: number, isThere: boolean) =>
    isThere ? (
      <Link
        className="button button-small"
        to={pathname + withReleaseParams(params, { [param]: to === 1 ? undefined : String(to) }) + fragment}
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
    <div className="release-pages">
      <p className="muted">
        {total <= rows && page === 1
          ? `${formatExact(total)} ${total === 1 ? one : many}`
          : `${formatExact(first)}–${formatExact(first + shown - 1)} of ${formatExact(total)} ${many}`}
      </p>
      {total > rows && (
        <nav aria-label={`Pages of ${many}`}>
          {step('Previous', page - 1, page > 1)}
          {step('Next', page + 1, page * rows < total)}
        </nav>
      )}
    </div>
  )
}
