import { paths } from '../../paths.ts'

/**
 * Where to go after signing in. Only a path of this origin is taken: anything else would let a link to our own
 * sign-in page lead people to somebody else's.
 */
const NOWHERE = 'http://sonde.invalid'

/** `fallback` for nothing, another origin, what a browser would read as one (`//x`, `/\x`), and sign-in itself. */
export function sameOriginPath(next: string | null | undefined, fallback: string): string {
  if (!next?.startsWith('/')) return fallback
  let url: URL
  try {
    url = new URL(next, NOWHERE)
  } catch {
    return fallback
  }
  const path = url.pathname + url.search + url.hash
  // The parser drops tabs and line breaks and resolves dots, so the result is looked at, not the text.
  if (url.origin !== NOWHERE || path.startsWith('//')) return fallback
  return /^\/sign-(?:in|out)(?:[/?#]|$)/.test(path) ? fallback : path
}

/** Where a sign-in leads: the page that was asked for, or home. */
export const pathAfterSignIn = (url: URL): string =>
  sameOriginPath(url.searchParams.get('next'), paths.home())

/** The same for the addresses of the next step; undefined: home, which need not be said. */
export function nextOf(url: URL): string | undefined {
  const path = pathAfterSignIn(url)
  return path === paths.home() ? undefined : path
}
