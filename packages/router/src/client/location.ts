/** Addresses of pages, and the browser's history of them. */

export type Location = {
  readonly pathname: string
  /** With its `?`, or empty. */
  readonly search: string
  /** With its `#`, or empty. */
  readonly hash: string
  /** Another one for each visit; going back gives it again. */
  readonly key: string
}

/** Of a page that was asked for by this path and query, whatever its path begins with. */
export const requestedLocation = (url: string): Location => locationOf('', url, '')

/** Of the entry that this document began with. */
const FIRST_KEY = 'default'

// Only paths are read: the origin never shows.
const ORIGIN = 'http://localhost'

export const pathOf = ({ pathname, search }: Location): string => pathname + search

/**
 * @param to a path, or what follows one: `?query`, `#fragment`
 * @throws when it leads to another site
 */
export function locationOf(to: string, from = '/', key: string = randomKey()): Location {
  const { origin, pathname, search, hash } = new URL(to, ORIGIN + from)
  if (origin !== ORIGIN) throw new Error(`${to} leads to another site: use a plain link`)
  return { pathname, search, hash, key }
}

const randomKey = (): string => Math.random().toString(36).slice(2, 10)

/** Then the page stays as it is: nothing is loaded. The same address once more, without a fragment, is another visit. */
export function isOtherFragmentOnly(from: Location, to: Location): boolean {
  return pathOf(from) === pathOf(to) && to.hash !== ''
}

export type PageHistory = {
  /** What the address bar shows. */
  current(): Location
  push(location: Location): void
  replace(location: Location): void
  /** Back, forward, and fragments that the browser followed by itself. */
  onPop(listener: () => void): void
}

export function browserHistory({ history, location }: Window, target: EventTarget = window): PageHistory {
  const write = (how: 'pushState' | 'replaceState', { pathname, search, hash, key }: Location): void => {
    // With its origin: a path that begins with two slashes would be another site's.
    const url = location.origin + pathname + search + hash
    try {
      history[how]({ key }, '', url)
    } catch {
      // Browsers refuse an entry after too many in a short time.
      location.assign(url)
    }
  }
  return {
    current: () => ({
      pathname: location.pathname,
      search: location.search,
      hash: location.hash,
      key: (history.state as { key?: string } | null)?.key ?? FIRST_KEY,
    }),
    push: (next) => write('pushState', next),
    replace: (next) => write('replaceState', next),
    onPop: (listener) => target.addEventListener('popstate', listener),
  }
}
