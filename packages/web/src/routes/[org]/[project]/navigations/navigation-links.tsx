import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { paths } from '../../../../paths.ts'
import { placeSearch } from './navigation-address.ts'

/** To everything one navigation told, above on this screen. */
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
