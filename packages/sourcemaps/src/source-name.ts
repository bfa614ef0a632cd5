/**
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
