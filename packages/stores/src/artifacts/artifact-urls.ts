/** How the address of a script that ran is compared with the name that its file was uploaded under. */

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(?=\/|$)/i
const DRIVE = /^[a-z]:(?=\/)/i
/** Never asked for: it only makes the resolver treat a path as one. */
const NOWHERE = 'http://nowhere.invalid'

/**
 * The names under which a script may have been uploaded, the most exact first: its whole address, then `~/path`, which
 * stands for any host. Query and fragment say how it was asked for, not which file it is.
 */
export function uploadNames(url: string): readonly string[] {
  // Webpack's names of sources have a dot after the host: `webpack:///./src/a.ts`.
  const plain = withoutQuery(url.replaceAll('\\', '/')).replaceAll('/./', '/')
  const { origin, path } = splitOrigin(plain)
  if (path === '' || path === '/') return [plain]
  const underAnyHost = `~${path.startsWith('/') ? '' : '/'}${path}`
  const names = [withoutQuery(url), plain, underAnyHost]
  if (/^file:/i.test(origin)) names.push(path)
  // Browsers write `[id].js` as `%5Bid%5D.js`.
  return [...new Set([...names, ...names.map(decoded)])]
}

/** Where a file says that its map is, as names of uploads. `base` is the name that the file itself was uploaded under. */
export function mapNames(base: string, reference: string): readonly string[] {
  if (ORIGIN.test(reference)) return uploadNames(reference)
  const { origin, path } = splitOrigin(base.startsWith('~/') ? base.slice(1) : base)
  const isRooted = path.startsWith('/')
  let resolved: string
  try {
    const { pathname } = new URL(withoutQuery(reference), `${NOWHERE}/${path.replace(/^\//, '')}`)
    resolved = pathname
  } catch {
    return []
  }
  const own = isRooted ? `${origin}${resolved}` : resolved.slice(1)
  const names = [...(base.startsWith('~/') ? [] : [own]), `~${resolved}`]
  return [...new Set([...names, ...names.map(decoded)])]
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function splitOrigin(url: string): { readonly origin: string; readonly path: string } {
  const origin = ORIGIN.exec(url)?.[0] ?? DRIVE.exec(url)?.[0] ?? ''
  return { origin, path: url.slice(origin.length) }
}

function decoded(name: string): string {
  try {
    return decodeURI(name).replaceAll('%5B', '[').replaceAll('%5D', ']')
  } catch {
    return name
  }
}
