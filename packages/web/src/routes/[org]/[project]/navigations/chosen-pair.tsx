import { Link, useLocation, useSearchParams } from '@sonde/router'
import { Icon } from '../../../../ui/icon.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { navigationPlace, placeSearch } from './navigation-address.ts'

/** The pair that everything below is narrowed to, each end with the way to take it away. */
export function ChosenPair() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { from, to } = navigationPlace(params)
  if (from === undefined && to === undefined) return null
  const ends = [
    ['from', 'From', from],
    ['to', 'To', to],
  ] as const
  return (
    <ul className="filter-chips" aria-label="Only this pair">
      {ends.map(
        ([id, name, route]) =>
          route !== undefined && (
            <li key={id}>
              <Link
                className="filter-chip"
                to={pathname + placeSearch(params, { [id]: undefined })}
                prefetch="none"
                aria-label={`Take away ${id} ${route}`}
              >
                <span className="muted">{name}</span> <UserText text={route} />
                <Icon name="close" />
              </Link>
            </li>
          ),
      )}
      <li>
        <Link to={pathname + placeSearch(params, { from: undefined, to: undefined })} prefetch="none">
          All pairs
        </Link>
      </li>
    </ul>
  )
}
