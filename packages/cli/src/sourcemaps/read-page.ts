/**
 * The scripts that a page loads, at once or later, and whether anybody may read their maps. Fetched are the page, as many of
 * the pages that it links to as were asked for, manifests of its bundler, the scripts that these and each other name on the
 * same host and on hosts that were named too, and their maps.
 */
import { SondeError } from '@sonde/base/errors'
import type { FoundBundle, FoundMap, MissingScript } from './check-bundle.ts'
import { chunkAddresses, manifestScripts, pageAddresses, scriptAddresses } from './named-scripts.ts'
import { codeFacts, inlineMap } from './script-facts.ts'

/** Manifests that bundlers write beside what they build, and that many servers hand out. */
const KNOWN_MANIFESTS = ['.vite/manifest.json', 'asset-manifest.json'] as const
const MAX_SCRIPTS = 2_000
const MAX_LINKS = 10_000
const MAX_BYTES = 64 * 1024 * 1024
const ANSWER_WITHIN_MS = 30_000

export type PageInput = {
  readonly address: string
  /** How many pages are read: the one that was named, then those that links of the site lead to. */
  readonly pages?: number | undefined
  /** Whose scripts are fetched besides those of the page's own host. */
  readonly hosts: readonly string[]
  /** Address of a manifest, besides those that are looked for. */
  readonly manifest?: string | undefined
}
export type PageScripts = {
  /** One at a time: a site may be larger than memory. */
  readonly scripts: AsyncGenerator<FoundBundle | MissingScript>
  /** Of other hosts, not fetched; grows while `scripts` are read. */
  readonly elsewhere: ReadonlySet<string>
}

/** @throws SondeError `unavailable`: the page or the manifest that was named cannot be read */
export async function readPage({ address, pages = 1, hosts, manifest }: PageInput): Promise<PageScripts> {
  const page = await get(address)
  if (!page.ok) throw unreachable(address, page.detail)
  const elsewhere = new Set<string>()
  const own = new Set([new URL(page.url).host, ...hosts])
  const open = new Map<string, string>()
  const name = (addresses: readonly string[], namedBy: string): void => {
    for (const one of addresses) {
      if (!own.has(new URL(one).host)) elsewhere.add(one)
      else if (!open.has(one)) open.set(one, namedBy)
    }
    if (open.size > MAX_SCRIPTS) throw tooMany(address)
  }
  if (isScript(page.contentType, page.url)) name([page.url], page.url)
  else {
    await namePages(page, pages, name)
    for (const place of KNOWN_MANIFESTS) await readManifest(new URL(place, page.url).href, name)
  }
  if (manifest !== undefined && !(await readManifest(new URL(manifest, page.url).href, name)))
    throw unreachable(manifest, 'it is no manifest in JSON')
  return { scripts: readAll(open, name), elsewhere }
}

type Name = (addresses: readonly string[], namedBy: string) => void

/** Breadth first. Links that do not lead to a page are passed over: nothing of the build is missing without them. */
async function namePages(first: Page, limit: number, name: Name): Promise<void> {
  const queue = new Set([first.url])
  let left = limit
  for (const address of queue) {
    if (left === 0) return
    const page = address === first.url ? first : await get(address, /html/i)
    if (!page.ok) continue
    left--
    const html = page.text()
    name(scriptAddresses(html, page.url), page.url)
    for (const link of pageAddresses(html, page.url)) if (queue.size < MAX_LINKS) queue.add(link)
  }
}

/** False: there is none. */
async function readManifest(address: string, name: Name): Promise<boolean> {
  const answer = await get(address)
  if (!answer.ok) return false
  try {
    // Vite's lies in a folder of its own; its paths are relative to the folder above.
    const root = new URL(/\/\.vite\/[^/]*$/.test(answer.url) ? '..' : '.', answer.url).href
    name(manifestScripts(JSON.parse(answer.text()), root), answer.url)
    return true
  } catch (error) {
    // A site of one page answers everything with that page.
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** `open`: address → what names it; `name` adds to it while it is read. */
async function* readAll(
  open: ReadonlyMap<string, string>,
  name: Name,
): AsyncGenerator<FoundBundle | MissingScript> {
  for (const [address, namedBy] of open) {
    const script = await get(address)
    const detail = script.ok ? notAScript(script) : script.detail
    if (!script.ok || detail !== undefined) {
      yield { name: address, detail: detail ?? '', namedBy }
      continue
    }
    const code = script.text()
    name(await chunkAddresses(code, script.url), script.url)
    yield { name: address, code, map: await findMap(script, code) }
  }
}

const notAScript = ({ contentType, head }: Page): string | undefined =>
  /html/i.test(contentType) && head.trimStart().startsWith('<') ? 'it answers with a page' : undefined

async function findMap(script: Page, code: string): Promise<FoundMap> {
  const ref = script.mapHeader ?? codeFacts(code).mapRef
  const inline = ref === undefined ? undefined : inlineMap(ref)
  if (inline) return { kind: 'found', place: 'inline', bytes: inline }
  // Without a comment many servers still have it where the bundler wrote it: beside the script.
  for (const place of [ref, `${script.url.split(/[?#]/, 1)[0]}.map`]) {
    if (place === undefined || !URL.canParse(place, script.url)) continue
    const address = new URL(place, script.url)
    if (!/^https?:$/.test(address.protocol) || address.host !== new URL(script.url).host) continue
    const map = await get(address.href)
    // A site of one page answers everything with that page.
    if (map.ok && /^\s*(?:\)\]\}'|\{)/.test(map.head))
      return { kind: 'found', place: address.href, bytes: map.bytes }
  }
  return { kind: 'hidden' }
}

type Page = {
  readonly ok: true
  /** After redirects. */
  readonly url: string
  readonly contentType: string
  readonly mapHeader: string | undefined
  readonly bytes: Uint8Array
  readonly head: string
  readonly text: () => string
}
type Answer = Page | { readonly ok: false; readonly detail: string }

/** `only`: the types of content whose bytes are read. */
async function get(address: string, only?: RegExp): Promise<Answer> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (only?.test(answer.headers.get('content-type') ?? '') === false) {
      await answer.body?.cancel()
      return { ok: false, detail: 'it is no page' }
    }
    const bytes = await bounded(answer)
    if (!answer.ok) return { ok: false, detail: `it answers ${answer.status}` }
    if (bytes === undefined) return { ok: false, detail: `it is larger than ${MAX_BYTES} bytes` }
    const { headers } = answer
    return {
      ok: true,
      url: answer.url,
      contentType: headers.get('content-type') ?? '',
      mapHeader: headers.get('sourcemap') ?? headers.get('x-sourcemap') ?? undefined,
      bytes,
      head: new TextDecoder().decode(bytes.subarray(0, 64)),
      text: () => new TextDecoder().decode(bytes),
    }
  } catch (error) {
    const { message, cause } = error as Error
    return { ok: false, detail: cause instanceof Error ? `${message}: ${cause.message}` : message }
  }
}

/** Undefined: there are more than may be read. */
async function bounded(answer: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > MAX_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const isScript = (contentType: string, url: string): boolean =>
  /javascript|ecmascript/i.test(contentType) || /\.[mc]?js$/i.test(new URL(url).pathname)

const unreachable = (address: string, detail: string): SondeError =>
  new SondeError('unavailable', `${address} cannot be read: ${detail}`, {
    operation: 'read the page',
    subject: address,
    hint: 'open it in a browser without signing in: what is verified is what everybody gets',
  })

const tooMany = (address: string): SondeError =>
  new SondeError('config', `${address} leads to more than ${MAX_SCRIPTS} scripts`, {
    operation: 'read the page',
    subject: address,
    hint: 'verify the folder of the build instead',
  })
