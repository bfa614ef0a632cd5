/** Where the links of a page lead: on the site, as on GitHub. */
import { posix } from 'node:path'
import { BASE, type Page } from './pages.ts'

export type Target =
  /** Another host, or a scheme of its own. */
  | { readonly kind: 'elsewhere' }
  /** `path` has a file or folder of the repository, `''` the page itself; `hash` without `#`. */
  | { readonly kind: 'here'; readonly source: string; readonly hash: string }

/** `href` as it stands in the page `source`. */
export function readLink(source: string, href: string): Target {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return { kind: 'elsewhere' }
  const [path = '', hash = ''] = href.split('#', 2)
  const there = path === '' ? source : posix.join(posix.dirname(source), decodeURI(path))
  return { kind: 'here', source: there.replace(/\/$/, ''), hash: decodeURIComponent(hash) }
}

/** The address of a page on the site; undefined when the site has no such page. */
export function addressOf(pages: ReadonlyMap<string, Page>, source: string): string | undefined {
  const page = pages.get(source) ?? pages.get(`${source}/README.md`)
  return page && BASE + page.path
}

/** The id that GitHub gives a heading; `taken` counts those of the page, so that a second one gets `-1`. */
export function headingId(text: string, taken: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const before = taken.get(plain)
  taken.set(plain, (before ?? 0) + 1)
  return before === undefined ? plain : `${plain}-${before}`
}
