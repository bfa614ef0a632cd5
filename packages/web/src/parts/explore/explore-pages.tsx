import { Link, useLocation, useSearchParams } from '@sonde/router'
import { PAGE_ROWS, withExplore } from './explore-search.ts'

type Props = { readonly page: number; readonly shown: number; readonly hasMore: boolean }

export function ExplorePages({ page, shown, hasMore }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (page === 1 && !hasMore) return null
  const to = (next: number): string =>
    pathname + withExplore(params, { page: next === 1 ? undefined : String(next) })
  const first = (page - 1) * PAGE_ROWS
  return (
    <nav className="pages" aria-label="Pages">
      <span className="muted num">{shown === 0 ? 'Nothing here' : `${first + 1}–${first + shown}`}</span>
      {page > 1 && (
        <Link className="button button-small" to={to(page - 1)} prefetch="none" rel="prev">
          Before
        </Link>
      )}
      {hasMore && (
        <Link className="button button-small" to={to(page + 1)} prefetch="none" rel="next">
          More
        </Link>
      )}
    </nav>
  )
}
