/**
 * A file's place without what a deploy changes: origin, query, release folders, versions, content hashes.
 * `https://cdn.shop.test/_next/static/9f8e7d6c/chunks/cart-4f3a9b21.js?v=3` → `static/chunks/cart.js`.
 */
import { EXTENSION, withoutAssetHash } from './asset-hash.ts'
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
