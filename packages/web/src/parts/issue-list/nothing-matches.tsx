import { Link } from '@sonde/router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { type ListPlace, listPath } from './list-place.ts'
import { type ListSearch, statusOf, toSearch, withStatus } from './list-search.ts'

type Props = { readonly place: ListPlace; readonly search: ListSearch }

/** Says what was looked for and the ways to see more. */
export function NothingMatches({ place, search }: Props) {
  const { query, statsPeriod, start, environments } = search
  const isTimed = statsPeriod !== '' || start !== undefined
  const isDefault = query.trim() === 'is:unresolved' && !isTimed && environments.length === 0
  if (isDefault) {
    return (
      <EmptyState title="No unresolved issues">
        <p>All caught up.</p>
        <p>
          <Link to={listPath(place, { query: '' })}>Show resolved and ignored issues</Link>
        </p>
      </EmptyState>
    )
  }
  const hasStatus = statusOf(query) !== 'all'
  return (
    <EmptyState title="No matching issues">
      {query.trim() !== '' && (
        <p>
          {' '}
          You searched for <UserText className="query-shown" text={query} />
        </p>
      )}
      <ul className="ways-on">
        {isTimed && (
          <li>
            <Link
              to={listPath(place, toSearch(search, { statsPeriod: '', start: undefined, end: undefined }))}
            >
              Search all time
            </Link>
          </li>
        )}
        {environments.length > 0 && (
          <li>
            <Link to={listPath(place, toSearch(search, { environments: [] }))}>Search all environments</Link>
          </li>
        )}
        {hasStatus && query.trim() !== '' && (
          <li>
            <Link to={listPath(place, toSearch(search, { query: withStatus(query, 'all') }))}>
              Include all statuses
            </Link>
          </li>
        )}
        <li>
          <Link to={listPath(place)}>Reset search</Link>
        </li>
      </ul>
    </EmptyState>
  )
}
