/** The lines of a source around a place, for people to read. */

export type ContextLines = {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

export type ContextOptions = {
  /** Lines on each side. */
  readonly lines: number
  /** A longer line is cut; the one of the place so that its column stays in it. */
  readonly maxLength: number
}

const CUT = '…'

/** Line and column count from 0. Undefined: the source has no such line. */
export function contextLines(
  content: string,
  line: number,
  column: number,
  { lines, maxLength }: ContextOptions,
): ContextLines | undefined {
  const before: string[] = []
  const after: string[] = []
  let own: string | undefined
  let at = 0
  // Up to the last line that is wanted: a source may have megabytes behind it.
  for (let number = 0; number <= line + lines && at <= content.length; number++) {
    const newline = content.indexOf('\n', at)
    const end = newline === -1 ? content.length : newline
    if (number >= line - lines) {
      const text = content.slice(at, content[end - 1] === '\r' ? end - 1 : end)
      if (number < line) before.push(cut(text, 0, maxLength))
      else if (number === line) own = cut(text, column, maxLength)
      else after.push(cut(text, 0, maxLength))
    }
    at = end + 1
  }
  return own === undefined ? undefined : { before, line: own, after }
}

function cut(text: string, column: number, maxLength: number): string {
  if (text.length <= maxLength) return text
  const from = Math.max(0, Math.min(column - Math.floor(maxLength / 2), text.length - maxLength))
  const shown = text.slice(from, from + maxLength)
  return `${from > 0 ? CUT : ''}${shown}${from + maxLength < text.length ? CUT : ''}`
}

/*
 * What a source is called on a screen and in groups: as people call the file, without what a bundler put before it and
 * without the way up from the folder that it wrote to. `webpack://shop/./src/cart.ts?1a2b` is `src/cart.ts`.
 */

// Bundlers and frameworks that name sources as addresses: `webpack://name/./src/a.ts`, `turbopack:///[project]/src/a.ts`.
const SCHEME = /^(?:webpack(?:-internal)?|turbopack|rspack|parcel|ng|vite|rsc|app|metro):\/\//
// The plugins of bundlers take the scheme off: `webpack://shop/./src/a.ts` comes as `shop/./src/a.ts`.
const BUNDLE = /^(?:@[^/]+\/)?(?!\.{1,2}\/)[^/]+\/\.\//
const PROJECT_FOLDER = /^\[project\]\//
// Anything else that has a scheme stays an address: of a library from a CDN, of an extension.
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
const FILE = /^file:\/\//
// Webpack tells copies of one module apart by a hash: `?1a2b`.
const COPY = /\?[0-9a-z]*$/i
// Rollup's mark of modules that no file holds.
const VIRTUAL = /^\0/

/** Undefined: it has no name. Never leads out of the folder that it is shown in: it is a name, no path to open. */
export function sourceName(path: string | null): string | undefined {
  if (path === null || path === '') return undefined
  const plain = path.replace(VIRTUAL, '').replaceAll('\\', '/')
  if (SCHEME.test(plain)) {
    const inBundle = plain
      .replace(SCHEME, '')
      .replace(/^[^/]*\//, '')
      .replace(COPY, '')
    return withoutDots(inBundle).replace(PROJECT_FOLDER, '') || undefined
  }
  if (FILE.test(plain)) return `/${withoutDots(plain.replace(FILE, ''))}`
  if (ADDRESS.test(plain)) return plain
  const name = withoutDots(plain.replace(BUNDLE, ''))
  return plain.startsWith('/') ? `/${name}` : name || undefined
}

/** `a/./b/../c` is `a/c`; ways up from the beginning are left out. */
function withoutDots(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
