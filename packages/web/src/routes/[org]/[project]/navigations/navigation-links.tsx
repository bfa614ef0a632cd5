import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { paths } from '../../../../paths.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { navigationPlace, placeSearch } from './navigation-address.ts'

/** Opens the details of one navigation, above on this screen. */
export function NavigationLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <Link to={`${pathname}${placeSearch(params, { navigation: id })}#navigation`} prefetch="none">
      {children}
    </Link>
  )
}

export function TraceLink({ org, traceId }: { readonly org: string; readonly traceId: string }) {
  return (
    <Link to={paths.trace(org, traceId)} prefetch="none">
      Trace
    </Link>
  )
}

/** The selected transition as filters that can be removed. */
export function SelectedTransition() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { from, to } = navigationPlace(params)
  if (from === undefined && to === undefined) return null
  const ends = [
    ['from', 'From', from],
    ['to', 'To', to],
  ] as const
  return (
    <ul className="filter-chips" aria-label="Selected transition">
      {ends.map(
        ([id, name, route]) =>
          route !== undefined && (
            <li key={id}>
              <Link
                className="filter-chip"
                to={pathname + placeSearch(params, { [id]: undefined })}
                prefetch="none"
                aria-label={`Remove filter ${id} ${route}`}
              >
                <span className="muted">{name}</span> <UserText text={route} />
                <Icon name="close" />
              </Link>
            </li>
          ),
      )}
      <li>
        <Link to={pathname + placeSearch(params, { from: undefined, to: undefined })} prefetch="none">
          All transitions
        </Link>
      </li>
    </ul>
  )
}
