/**
 * The scripts that a page leads to: what its HTML names, what its scripts import, and what a bundler's runtime or manifest
 * lists. Nothing of the site is run. Every reading is linear in the text.
 */
import { init, parse } from 'es-module-lexer'
import { Parser } from 'htmlparser2'
import { webpackChunks } from './webpack-chunks.ts'

/** Next.js names chunks by this path below `/_next/`: in pages, in its build manifest, in Turbopack's lists. */
const NEXT_CHUNK = /(?<![\w/-])static\/chunks\/[\w./()[\]@%~-]{1,300}?\.js(?![\w.])/g
const NEXT_BASE = /^(.*\/_next\/)static\//
const SCRIPT_FILE = /\.[mc]?js$/i

/** Absolute, each once, in the order of the page: `<script src>`, `modulepreload`, and preloads of scripts. */
export function scriptAddresses(html: string, pageUrl: string): string[] {
  let base = pageUrl
  const found = new Set<string>()
  const parser = new Parser({
    onopentag(name, { href, src, rel, as }) {
      if (name === 'base' && href && URL.canParse(href, pageUrl)) base = new URL(href, pageUrl).href
      else if (name === 'script') add(found, src, base)
      else if (
        name === 'link' &&
        /^(?:modulepreload|preload script)$/i.test(`${rel ?? ''} ${as ?? ''}`.trim())
      )
        add(found, href, base)
    },
  })
  parser.end(html)
  for (const address of nextChunks(html, [...found])) found.add(address)
  return [...found]
}

/** Where links of a page lead on its own host, each once, without the page itself. */
export function pageAddresses(html: string, pageUrl: string): string[] {
  let base = pageUrl
  const found = new Set<string>()
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'base' && href && URL.canParse(href, pageUrl)) base = new URL(href, pageUrl).href
      else if (name === 'a') add(found, href, base)
    },
  })
  parser.end(html)
  found.delete(pageUrl)
  return [...found].filter((address) => new URL(address).host === new URL(pageUrl).host)
}

/** What a script imports, at once or later, and the chunks that the runtime in it loads. Absolute, each once. */
export async function chunkAddresses(code: string, url: string): Promise<string[]> {
  const found = new Set<string>()
  for (const specifier of await imported(code)) add(found, specifier, url)
  for (const address of nextChunks(code, [url])) found.add(address)
  const chunks = webpackChunks(code)
  if (chunks) {
    // Without a public path the runtime takes the folder that it came from.
    const path = chunks.publicPath ?? '.'
    if (URL.canParse(path, url)) for (const file of chunks.files) add(found, file, new URL(path, url).href)
  }
  return [...found]
}

/** `./a.js`, `/a.js` and whole addresses: a bare name would be an import map's. */
async function imported(code: string): Promise<string[]> {
  if (!/\bimport\b|\bexport\b/.test(code)) return []
  await init()
  try {
    const [imports] = parse(code)
    return imports.flatMap((one) => {
      if (!('specifier' in one) || typeof one.specifier !== 'string' || ('glob' in one && one.glob)) return []
      return /^(?:\.{0,2}\/|https?:)/.test(one.specifier) ? [one.specifier] : []
    })
  } catch {
    // Broken code names nothing: the check of the script itself says more.
    return []
  }
}

/** `beside`: addresses of the same site that show where `/_next/` is. */
function nextChunks(text: string, beside: readonly string[]): string[] {
  const base = beside.map((address) => NEXT_BASE.exec(address)?.[1]).find((one) => one !== undefined)
  if (base === undefined) return []
  return [...new Set(text.match(NEXT_CHUNK))].map((path) => new URL(path, base).href)
}

const MAX_MANIFEST_DEPTH = 8

/** Scripts that a manifest lists, Vite's or one that names files by path; `root`: what its relative paths are below. */
export function manifestScripts(manifest: unknown, root: string): string[] {
  const found = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && SCRIPT_FILE.test(value.split(/[?#]/, 1)[0] ?? ''))
      add(found, value, root)
    else if (Array.isArray(value) && depth < MAX_MANIFEST_DEPTH) for (const one of value) walk(one, depth + 1)
    else if (isObject(value) && depth < MAX_MANIFEST_DEPTH)
      for (const [key, one] of Object.entries(value)) if (!SOURCE_FIELDS.has(key)) walk(one, depth + 1)
  }
  walk(manifest, 0)
  return [...found]
}

/** Of Vite's: keys of other entries and files of the source, which nobody serves. */
const SOURCE_FIELDS: ReadonlySet<string> = new Set(['src', 'imports', 'dynamicImports', 'name'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function add(found: Set<string>, address: string | null | undefined, base: string): void {
  if (!address || !URL.canParse(address, base)) return
  const url = new URL(address, base)
  url.hash = ''
  if (/^https?:$/.test(url.protocol)) found.add(url.href)
}
