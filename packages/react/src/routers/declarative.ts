/** `<BrowserRouter>` has no data and no state to read: a component inside it tells each page that it shows. */
import { activeNavigations } from '@sonde/browser'
import { useLayoutEffect, useRef } from 'react'
import { matchRoutes, useLocation } from 'react-router'
import { templateOfPaths } from '../route-template.ts'

/**
 * Put `useNavigationTemplates(routes)` into a component below `<BrowserRouter>`. `routes` are the objects of `useRoutes`,
 * or `createRoutesFromElements` of the `<Route>`s.
 */
export function useNavigationTemplates(routes: readonly object[], basename?: string): void {
  const location = useLocation()
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    const recorder = activeNavigations()
    if (!recorder) return
    const matches = matchRoutes(routes as never, location, basename) as
      | readonly { route: { path?: string } }[]
      | null
    const route = matches ? templateOfPaths(matches.map((match) => match.route.path)) : undefined
    const page = location.pathname + location.search
    if (shown.current === page) return
    if (shown.current === undefined) {
      recorder.take()
      recorder.show(location.pathname, route)
    } else {
      recorder.start({ to: location.pathname, route, router: 'react-router' }).end('committed')
    }
    shown.current = page
  }, [location, routes, basename])
}
