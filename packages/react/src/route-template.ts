/** Route templates as Sonde writes them: `/orders/[id]`, whatever the router's own notation is. */

/**
 * From the paths of matched routes, outermost first, as react-router writes them: `:id`, `:lang?`, `*`.
 * Undefined when no route has a path.
 */
export function templateOfPaths(paths: readonly (string | undefined)[]): string | undefined {
  if (paths.every((path) => path === undefined)) return undefined
  let whole = ''
  for (const path of paths) {
    if (path?.startsWith('/')) whole = path
    else if (path) whole += `/${path}`
  }
  return tidy(whole.split('/').map(fromColon))
}

/** From TanStack Router's `fullPath`: `/orders/$id`, `/files/$`, `/{-$lang}/about`, `/prefix{$id}.json`. */
export function templateOfDollarPath(path: string): string {
  return tidy(
    path.split('/').map((segment) => {
      if (segment === '$' || segment === '{$}') return '[...]'
      return segment
        .replace(/\{-\$(\w+)\}/g, '[[$1]]')
        .replace(/\{\$(\w+)\}/g, '[$1]')
        .replace(/^\$(\w+)$/, '[$1]')
    }),
  )
}

/** `/acme/orders/7` with `{ org: 'acme', id: '7' }` → `/[org]/orders/[id]`; a list of values is a catch-all. */
export function templateOfParams(
  pathname: string,
  params: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const segments = pathname.split('/')
  const used = new Set<number>()
  // Catch-alls first: their values are several segments in a row.
  const entries = Object.entries(params).toSorted((a, b) => lengthOf(b[1]) - lengthOf(a[1]))
  for (const [name, value] of entries) {
    const wanted = typeof value === 'string' ? [value] : (value ?? [])
    const at = segments.findIndex((_, index) =>
      wanted.every((part, offset) => !used.has(index + offset) && isSame(segments[index + offset], part)),
    )
    if (at < 1 || wanted.length === 0) continue
    wanted.forEach((_, offset) => used.add(at + offset))
    segments[at] = typeof value === 'string' ? `[${name}]` : `[...${name}]`
    for (let offset = 1; offset < wanted.length; offset++) segments[at + offset] = ''
  }
  return tidy(segments)
}

const lengthOf = (value: string | readonly string[] | undefined): number =>
  typeof value === 'string' ? 1 : (value?.length ?? 0)

/** Next.js hands parameters over as they stand in the URL or decoded, depending on the version. */
function isSame(segment: string | undefined, value: string): boolean {
  if (segment === undefined) return false
  try {
    return segment === value || decodeURIComponent(segment) === decodeURIComponent(value)
  } catch {
    return false
  }
}

function fromColon(segment: string): string {
  if (segment === '*') return '[...]'
  return segment.replace(/:(\w+)(\?)?/, (_, name: string, optional) =>
    optional ? `[[${name}]]` : `[${name}]`,
  )
}

const tidy = (segments: readonly string[]): string => `/${segments.filter(Boolean).join('/')}`
