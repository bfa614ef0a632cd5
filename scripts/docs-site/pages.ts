/** The pages of the site: which file each is made from, its address, its name and its neighbours. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DECISIONS, type Group, GROUPS } from './groups.ts'

/** Where Sonde serves the site. */
export const BASE = '/docs/'

export type Page = {
  /** From the root of the repository: `docs/operate/backup.md`. */
  readonly source: string
  /** Below `BASE`, without an ending: `operate/backup`; `''` is the first page. */
  readonly path: string
  /** Its heading. */
  readonly title: string
  /** What the side bar says. */
  readonly name: string
  readonly group: Group
}

/** Every page of the groups that is there, in their order. */
export function readPages(root: string): readonly Page[] {
  return GROUPS.flatMap((group) => listed(root, group)).flatMap(({ source, name, group }) => {
    if (!existsSync(join(root, source))) return []
    const title = titleOf(readFileSync(join(root, source), 'utf8'), source)
    return [{ source, path: sitePath(source), title, name: name ?? title, group }]
  })
}

/** Pages of decisions follow the list of them. */
function listed(root: string, group: Group) {
  const own = group.pages.map((page) =>
    typeof page === 'string'
      ? { source: page, name: undefined, group }
      : { source: page[0], name: page[1], group },
  )
  if (group !== GROUPS.at(-1)) return own
  const numbered = readdirSync(join(root, DECISIONS))
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .sort()
  return [...own, ...numbered.map((file) => ({ source: `${DECISIONS}/${file}`, name: undefined, group }))]
}

/** `docs/a/b.md` → `a/b`, `README.md` of a folder → the folder; outside of `docs` the folders stay. */
export function sitePath(source: string): string {
  if (source === 'README.md') return 'about'
  return source
    .replace(/^docs\//, '')
    .replace(/(^|\/)docs\//, '$1')
    .replace(/(^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()
}

function titleOf(text: string, source: string): string {
  const heading = /^# (.+)$/m.exec(text)?.[1]
  if (heading === undefined) throw new Error(`${source} has no heading: its first line must be "# …"`)
  return heading.replaceAll('`', '').trim()
}
