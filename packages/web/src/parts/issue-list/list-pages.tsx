import { MAX_HITS } from '@sonde/queries/contract'
import { Link } from '@sonde/router'
import { formatExact } from '../../format/format-count.ts'
import { type ListPlace, listPath } from './list-place.ts'
import { type ListSearch, toSearch } from './list-search.ts'

type Edge = { readonly cursor: string; readonly hasResults: boolean }
type Props = {
  readonly place: ListPlace
  readonly search: ListSearch
  readonly page: {
    readonly rows: readonly unknown[]
    readonly hits: number
    readonly previous: Edge
    readonly next: Edge
  }
}

/** How many there are, and the ways on. */
export function ListPages({ place, search, page }: Props) {
  const { rows, hits, previous, next } = page
  const total = hits >= MAX_HITS ? `more than ${formatExact(MAX_HITS)}` : formatExact(hits)
  return (
    <div className="list-pages">
      <p className="muted">
        {rows.length === hits
          ? `${total} ${hits === 1 ? 'issue' : 'issues'}`
          : `${rows.length} of ${total} issues`}
      </p>
      {(previous.hasResults || next.hasResults) && (
        <nav aria-label="Pages">
          {step('Previous', previous)}
          {step('Next', next)}
        </nav>
      )}
    </div>
  )
  function step(name: string, { cursor, hasResults }: Edge) {
    return hasResults ? (
      <Link
        className="button button-small"
        to={listPath(place, toSearch(search, { cursor }))}
        prefetch="intent"
      >
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  }
}
