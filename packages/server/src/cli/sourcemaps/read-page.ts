/**
 * The scripts that a page loads, and whether anybody may read their maps. Only what was named is fetched: the page, its
 * scripts on the same host and on hosts that were named too, and their maps.
 */
import { SondeError } from '@sonde/base'
import type { FoundBundle, FoundMap } from './check-bundle.ts'
import { codeFacts, inlineMap } from './script-facts.ts'

/** Addresses of the scripts that a page's HTML names: `<script src>` and `<link rel="modulepreload">`. */

const TAG = /<(script|link|base)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi
const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const COMMENT = /<!--[\s\S]*?-->/g

/** Absolute, each once, in the order of the page. */
export function scriptAddresses(html: string, pageUrl: string): string[] {
  let base = pageUrl
  const found = new Set<string>()
  for (const [, name = '', inside = ''] of html.replace(COMMENT, '').matchAll(TAG)) {
    const attributes = attributesOf(inside)
    const href = attributes.get('href')
    const tag = name.toLowerCase()
    if (tag === 'base' && href !== undefined && URL.canParse(href, pageUrl))
      base = new URL(href, pageUrl).href
    const address =
      tag === 'script'
        ? attributes.get('src')
        : /^modulepreload$/i.test(attributes.get('rel') ?? '')
          ? href
          : undefined
    if (address === undefined || address === '' || !URL.canParse(address, base)) continue
    const url = new URL(address, base)
    if (/^https?:$/.test(url.protocol)) found.add(url.href)
  }
  return [...found]
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE))
    found.set(name.toLowerCase(), (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'))
  return found
}

const MAX_SCRIPTS = 200
const MAX_BYTES = 64 * 1024 * 1024
const ANSWER_WITHIN_MS = 30_000

export type PageScripts = {
  readonly bundles: AsyncGenerator<FoundBundle>
  /** Of other hosts: not fetched. */
  readonly elsewhere: readonly string[]
}

/** `hosts`: whose scripts are fetched besides those of the page's own host. @throws SondeError `unavailable` */
export async function readPage(address: string, hosts: readonly string[]): Promise<PageScripts> {
  const page = await get(address)
  if (!page.ok) throw unreachable(address, page.detail)
  if (isScript(page.contentType, page.url)) return { bundles: readAll([page.url]), elsewhere: [] }
  const own = new Set([new URL(page.url).host, ...hosts])
  const all = scriptAddresses(page.text(), page.url)
  const here = all.filter((url) => own.has(new URL(url).host))
  if (here.length > MAX_SCRIPTS) {
    throw new SondeError('config', `${address} loads ${here.length} scripts; ${MAX_SCRIPTS} are read`, {
      operation: 'read the page',
      subject: address,
      hint: 'verify the folder of the build instead',
    })
  }
  return { bundles: readAll(here), elsewhere: all.filter((url) => !own.has(new URL(url).host)) }
}

async function* readAll(addresses: readonly string[]): AsyncGenerator<FoundBundle> {
  for (const address of addresses) {
    const script = await get(address)
    if (!script.ok) throw unreachable(address, script.detail)
    const code = script.text()
    yield { name: address, code, map: await findMap(script, code) }
  }
}

async function findMap(script: Answer & { ok: true }, code: string): Promise<FoundMap> {
  const ref = script.mapHeader ?? codeFacts(code).mapRef
  const inline = ref === undefined ? undefined : inlineMap(ref)
  if (inline) return { kind: 'found', place: 'inline', bytes: inline }
  // Without a comment many servers still have it where the bundler wrote it: beside the script.
  for (const place of [ref, `${script.url.replace(/[?#].*$/, '')}.map`]) {
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
