/**
 * A file's place without what a deploy changes: origin, query, release folders, versions, content hashes.
 * `https://cdn.shop.test/_next/static/9f8e7d6c/chunks/cart-4f3a9b21.js?v=3` → `static/chunks/cart.js`.
 */
import { remembered } from './remember.ts'

/** Enough to tell `users/index.ts` from `orders/index.ts`; more would tell one machine's folders from another's. */
const KEPT_SEGMENTS = 3

const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/\\]*|[a-z]:|[a-z][a-z0-9+.-]+:)/i
const LAYER = /^\((?:rsc|ssr|app-pages-browser|pages-dir-browser|action-browser|middleware|instrument|api)\)$/
const PACKAGE_ROOT = /^(?:node_modules|site-packages|dist-packages)$/
const VERSION_SEGMENT =
  /^(?:v?\d+(?:\.\d+)+(?:[-+.][\w.-]*)?|v\d+|\d{4,}|[0-9a-f]{7,}|[0-9a-f-]{36}|\w{20,})$/i
const VERSION_SUFFIX = /(?:[@-]v?|(?<=python|ruby|node))\d+(?:\.\d+)+(?:[-+.][\w.]*)?$/i
const SCRIPT = /\.(?:min\.|chunk\.|bundle\.)*(?:[cm]?[jt]sx?|vue|svelte|bundle|jsbundle|hbc)$/i

/** The last folders and the file name, lower case; empty when only what changes is left. */
export const stablePath = remembered((path) => cleanPath(path, KEPT_SEGMENTS))

/** The file name alone. */
export const stableFile = remembered((path) => cleanPath(path, 1))

function cleanPath(path: string, keptSegments: number): string {
  const withoutOrigin = path.replace(ORIGIN, '')
  const end = withoutOrigin.search(/[?#]/)
  const segments = (end < 0 ? withoutOrigin : withoutOrigin.slice(0, end)).split(/[/\\]/)
  const root = segments.findLastIndex((segment) => PACKAGE_ROOT.test(segment))
  const last = stableBasename(segments.at(-1) ?? '')
  const folders = segments.slice(root + 1, -1).flatMap(stableFolder)
  return [...folders, ...(last === '' ? [] : [last])].slice(-keptSegments).join('/').toLowerCase()
}

/** `main.3f2a9c1b.chunk.js` → `main.js`, `jquery-3.6.0.min.js` → `jquery.js`; empty when nothing but numbers is left. */
function stableBasename(name: string): string {
  const unhashed = withoutAssetHash(name)
  const end = unhashed.search(EXTENSION)
  const stem = end < 0 ? unhashed : unhashed.slice(0, end)
  const stable = stem.replace(VERSION_SUFFIX, '').replace(/^\d+$/, '')
  if (stable === '' || end < 0) return stable
  return stable + unhashed.slice(unhashed.lastIndexOf('.'))
}

/** `.js` and its relatives; a page's own address (`/products/42`, `index.html`) is not a place in the code. */
export function isScript(path: string): boolean {
  const end = path.search(/[?#]/)
  return SCRIPT.test(end < 0 ? path : path.slice(0, end))
}

function stableFolder(segment: string): string[] {
  if (segment === '' || segment === '.' || segment === '..' || segment === '~') return []
  if (LAYER.test(segment) || segment === '[project]') return []
  if (VERSION_SEGMENT.test(segment) && (/\d/.test(segment) || /^[0-9a-f]{16,}$/i.test(segment))) return []
  return [segment.replace(VERSION_SUFFIX, '')]
}

// Below: the content hash that bundlers put into file names: `index-BxK3p_9d.js`, `main.3f2a9c1b.chunk.js`, `4f3a9b21.js`.

/** What stands between a file's stem and its end: `.chunk.js`, `.min.js`, `.mjs`. */
const EXTENSION = /(?:[.-](?:min|chunk|bundle|esm|cjs|es|umd))*\.\w+$/

/** `index-BxK3p_9d.js` → `index.js`; what is nothing but a hash → the extension alone. */
function withoutAssetHash(name: string): string {
  const end = name.search(EXTENSION)
  if (end < 0) return name
  const stem = name.slice(0, end)
  const length = hashLength(stem)
  return length === 0 ? name : stem.slice(0, stem.length - length).replace(/[.~_-]+$/, '') + name.slice(end)
}

export function hasAssetHash(name: string): boolean {
  const end = name.search(EXTENSION)
  return end >= 0 && hashLength(name.slice(0, end)) > 0
}

/** How many characters at the end of a stem are a hash. */
function hashLength(stem: string): number {
  // webpack, Turbopack, Nuxt: hexadecimal. A word of these letters without a digit does not happen by chance.
  const hex = /(?:^|[.~_-])([0-9a-f]{6,64}|[0-9A-F]{6,64})$/.exec(stem)?.[1]
  if (hex !== undefined && /\d/.test(hex) && !/^\d{6,7}$/.test(hex)) return hex.length
  // Vite, Rollup, esbuild: eight characters of base64url or base32, which may hold `-` and `_` themselves.
  const eight = /(?:^|[.~-])([\w-]{8})$/.exec(stem)?.[1]
  if (eight !== undefined && looksRandom(eight)) return eight.length
  const long = /(?:^|[.~-])([A-Za-z0-9]{9,32})$/.exec(stem)?.[1]
  return long !== undefined && /\d/.test(long) && /[a-z]/.test(long) && /[A-Z]/.test(long) ? long.length : 0
}

/** `BxK3p_9d`, `DkTvxQah`, `ABCDEF12`, but not `settings`, `UserForm`, `OAuthBox`, `vendor42`, `user_row`. */
function looksRandom(text: string): boolean {
  if (!/[A-Z]/.test(text)) return /^[a-z0-9]+$/.test(text) && /\d[a-z]+\d|\d[a-z]*\d?[a-z]+\d/.test(text)
  if (/[\d_-]/.test(text)) return !/^(?:[A-Z]?[a-z]{2,})+[_-]?\d{1,3}$/.test(text)
  return !/^(?:[A-Z]*[a-z]{2,})+$/.test(text) && !/^[A-Z]+$/.test(text)
}
