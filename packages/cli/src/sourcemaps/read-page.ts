/**
 * The scripts that a page loads, at once or later, and whether anybody may read their maps. Fetched are the page, manifests of
 * its bundler, the scripts that these and each other name on the same host and on hosts that were named too, and their maps.
 */
import { SondeError } from '@sonde/base/errors'
import type { FoundBundle, FoundMap, MissingScript } from './check-bundle.ts'
import { chunkAddresses, manifestScripts, scriptAddresses } from './named-scripts.ts'
import { codeFacts, inlineMap } from './script-facts.ts'

/** Manifests that bundlers write beside what they build, and that many servers hand out. */
const KNOWN_MANIFESTS = ['.vite/manifest.json', 'asset-manifest.json'] as const
const MAX_SCRIPTS = 2_000
const MAX_BYTES = 64 * 1024 * 1024
const ANSWER_WITHIN_MS = 30_000

export type PageInput = {
  readonly address: string
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
export async function readPage({ address, hosts, manifest }: PageInput): Promise<PageScripts> {
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
    name(scriptAddresses(page.text(), page.url), page.url)
    for (const place of KNOWN_MANIFESTS) await readManifest(new URL(place, page.url).href, name)
  }
  if (manifest !== undefined && !(await readManifest(new URL(manifest, page.url).href, name)))
    throw unreachable(manifest, 'it is no manifest in JSON')
  return { scripts: readAll(open, name), elsewhere }
}

type Name = (addresses: readonly string[], namedBy: string) => void

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

const notAScript = ({ contentType, head }: Answer & { ok: true }): string | undefined =>
  /html/i.test(contentType) && head.trimStart().startsWith('<') ? 'it answers with a page' : undefined

async function findMap(script: Answer & { ok: true }, code: string): Promise<FoundMap> {
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

type Answer =
  | {
      readonly ok: true
      /** After redirects. */
      readonly url: string
      readonly contentType: string
      readonly mapHeader: string | undefined
      readonly bytes: Uint8Array
      readonly head: string
      readonly text: () => string
    }
  | { readonly ok: false; readonly detail: string }

async function get(address: string): Promise<Answer> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
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
