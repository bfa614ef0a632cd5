/**
 * The route table: from the files of a folder tree to pages, layouts and their templates.
 *
 *     routes/[org]/[project]/issues/[issue]/page.tsx   →  /[org]/[project]/issues/[issue]
 *     routes/(app)/layout.tsx                          →  a layout; `(app)` adds no segment
 *     routes/logout/page.server.ts                     →  a route without a page: redirects, raw answers
 *
 * When two templates match a URL, the one with more static segments wins, then the one that is static
 * further left. Catch-all and optional segments are refused: every URL has one template.
 */

export type LayoutEntry = {
  /** `layout:` and the folder. */
  readonly id: string
  readonly file: string
  readonly serverFile?: string
}

export type PageEntry = {
  /** The route template; also the transaction name in telemetry. */
  readonly id: string
  readonly params: readonly string[]
  /** Missing on a route without a page. */
  readonly file?: string
  readonly serverFile?: string
  /** Ids of the layouts around the page, outermost first. */
  readonly layouts: readonly string[]
}

export type RouteTable = {
  readonly pages: readonly PageEntry[]
  readonly layouts: readonly LayoutEntry[]
  /** `not-found.tsx` at the root. */
  readonly notFoundFile?: string
}

/**
 * @param files paths below the routes folder with `/`; others than route files are ignored
 * @throws RouteTableError naming the file and the rule
 */
export function buildRouteTable(files: readonly string[]): RouteTable {
  const known = new Set(files.map((file) => file.replaceAll('\\', '/')))
  const folders = new Set([...known].filter((file) => ROUTE_FILE.test(file)).map(folderOf))
  const layouts = [...folders].toSorted().flatMap((folder) => layoutIn(folder, known))
  const pages = [...folders].flatMap((folder) => pageIn(folder, known, layouts)).toSorted(bySpecificity)
  refuseTwins(pages)
  return { pages, layouts, ...(known.has('not-found.tsx') ? { notFoundFile: 'not-found.tsx' } : {}) }
}

const ROUTE_FILE = /(^|\/)(page|layout)(\.tsx|\.server\.ts)$/

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

function fileIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

function layoutIn(folder: string, known: ReadonlySet<string>): LayoutEntry[] {
  const file = fileIn(folder, 'layout.tsx')
  const serverFile = fileIn(folder, 'layout.server.ts')
  if (!known.has(file)) {
    if (known.has(serverFile)) throw new RouteTableError(serverFile, 'needs a layout.tsx beside it')
    return []
  }
  return [{ id: `layout:/${folder}`, file, ...(known.has(serverFile) ? { serverFile } : {}) }]
}

function pageIn(folder: string, known: ReadonlySet<string>, layouts: readonly LayoutEntry[]): PageEntry[] {
  const file = fileIn(folder, 'page.tsx')
  const serverFile = fileIn(folder, 'page.server.ts')
  if (!known.has(file) && !known.has(serverFile)) return []
  const where = known.has(file) ? file : serverFile
  const segments = (folder === '' ? [] : folder.split('/')).map((name) => parseSegment(name, where))
  const shown = segments.filter((segment) => segment.kind !== 'group')
  const params = shown.flatMap((segment) => (segment.kind === 'param' ? [segment.name] : []))
  const twice = params.find((name, index) => params.indexOf(name) !== index)
  if (twice) throw new RouteTableError(where, `names the parameter [${twice}] twice`)
  return [
    {
      id: `/${shown.map((segment) => segment.source).join('/')}`,
      params,
      ...(known.has(file) ? { file } : {}),
      ...(known.has(serverFile) ? { serverFile } : {}),
      layouts: layouts.filter((layout) => isAround(folderOf(layout.file), folder)).map((layout) => layout.id),
    },
  ]
}

function isAround(outer: string, inner: string): boolean {
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`)
}

/** Static before parameter at the first difference, then by name, so that the order never depends on the disk. */
function bySpecificity(a: PageEntry, b: PageEntry): number {
  const left = a.id.split('/')
  const right = b.id.split('/')
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]?.startsWith('[')) - Number(right[index]?.startsWith('['))
    if (difference !== 0) return difference
  }
  return a.id < b.id ? -1 : 1
}

/** `/[a]` and `/[b]` match the same URLs, and so do `x/page` and `(group)/x/page`. */
function refuseTwins(pages: readonly PageEntry[]): void {
  const seen = new Map<string, PageEntry>()
  for (const page of pages) {
    const shape = page.id.toLowerCase().replaceAll(/\[\w+\]/g, '[]')
    const twin = seen.get(shape)
    const name = (entry: PageEntry): string => entry.file ?? entry.serverFile ?? entry.id
    if (twin) throw new RouteTableError(name(page), `matches the same URLs as ${name(twin)}`)
    seen.set(shape, page)
  }
}

/** Names the file and the rule it breaks; stops the build. */
export class RouteTableError extends Error {
  constructor(file: string, problem: string) {
    super(`route ${file}: ${problem}`)
    this.name = 'RouteTableError'
  }
}

/** One folder name of the route tree. */
type Segment = {
  readonly kind: 'static' | 'param' | 'group'
  /** Without brackets. */
  readonly name: string
  /** The folder's name. */
  readonly source: string
}

/** @throws RouteTableError for catch-all, optional and unreadable names */
function parseSegment(source: string, file: string): Segment {
  if (/^\[\[.*\]\]$/.test(source)) {
    throw new RouteTableError(file, `optional segments like ${source} are not supported; write two routes`)
  }
  if (/^\[\.\.\..*\]$/.test(source)) {
    throw new RouteTableError(file, `catch-all segments like ${source} are not supported; name each segment`)
  }
  const param = /^\[([A-Za-z_][A-Za-z0-9_]*)\]$/.exec(source)?.[1]
  if (param !== undefined) return { kind: 'param', name: param, source }
  const group = /^\(([A-Za-z0-9_-]+)\)$/.exec(source)?.[1]
  if (group !== undefined) return { kind: 'group', name: group, source }
  // Anything that templates, URLs or shells read in a second way is refused.
  if (!/^[A-Za-z0-9._~@-]+$/.test(source)) {
    throw new RouteTableError(
      file,
      `"${source}" is not a segment: use letters, digits, . _ ~ @ - or [parameter] or (group)`,
    )
  }
  return { kind: 'static', name: source, source }
}
