import { paths } from '../../paths.ts'
import { sameOriginPath } from '../../parts/access/same-origin-path.server.ts'

/** Where a sign-in leads: the page that was asked for, or home. */
export const pathAfterSignIn = (url: URL): string =>
  sameOriginPath(url.searchParams.get('next'), paths.home())

/** The same for the addresses of the next step; undefined: home, which need not be said. */
export function nextOf(url: URL): string | undefined {
  const path = pathAfterSignIn(url)
  return path === paths.home() ? undefined : path
}
