/** A browser without scripts: keeps cookies by host and `SameSite`, goes where it is sent, and posts forms. */

export type Visit = { readonly url: URL; readonly status: number; readonly text: string }

type Fetch = (request: Request) => Promise<Response>

export type PlainBrowser = {
  open(url: string): Promise<Visit>
  /** As a form on a page of `fromOrigin` does. */
  post(url: string, fields: Readonly<Record<string, string>>, fromOrigin: string): Promise<Visit>
  cookie(origin: string): string
  /** Puts cookies of a `Cookie` header into it. */
  give(origin: string, cookie: string): void
  /** Every address that it was sent to, in order. */
  readonly trail: string[]
  /** Stops before an address that fits, and returns it unopened. */
  stopAt: ((url: URL) => boolean) | undefined
}

type Cookie = { readonly value: string; readonly isLax: boolean }

/** `own`: answers what goes to `ownOrigin`, without a socket. */
export function plainBrowser(ownOrigin: string, own: Fetch): PlainBrowser {
  const jars = new Map<string, Map<string, Cookie>>()
  const trail: string[] = []
  const header = (origin: string, isCrossPost: boolean): string =>
    [...(jars.get(origin) ?? [])]
      .filter(([, { isLax }]) => !(isLax && isCrossPost))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  const keep = (origin: string, setCookies: readonly string[]): void => {
    const jar = jars.get(origin) ?? new Map<string, Cookie>()
    jars.set(origin, jar)
    for (const text of setCookies) {
      const [pair = '', ...attributes] = text.split(';')
      const name = pair.slice(0, pair.indexOf('=')).trim()
      const isGone = attributes.some((each) => /max-age=0|expires=Thu, 01 Jan 1970/i.test(each))
      const isLax = attributes.some((each) => /samesite=lax/i.test(each))
      if (isGone) jar.delete(name)
      else jar.set(name, { value: pair.slice(pair.indexOf('=') + 1), isLax })
    }
  }
  const go = async (
    start: string,
    fields: Readonly<Record<string, string>> | undefined,
    fromOrigin: string | undefined,
  ): Promise<Visit> => {
    let url = new URL(start)
    let body = fields && new URLSearchParams(fields)
    for (let hops = 0; hops < 20; hops++) {
      trail.push(url.href)
      if (browser.stopAt?.(url)) return { url, status: 0, text: '' }
      const isCrossPost = body !== undefined && fromOrigin !== undefined && fromOrigin !== url.origin
      const cookie = header(url.origin, isCrossPost)
      const request = new Request(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          ...(cookie !== '' && { cookie }),
          ...(fromOrigin !== undefined && { origin: fromOrigin }),
        },
        ...(body && { body }),
      })
      const response = await (url.origin === ownOrigin ? own(request) : fetch(request))
      keep(url.origin, response.headers.getSetCookie())
      const location = response.headers.get('location')
      const text = await response.text()
      if (location === null || response.status < 300 || response.status > 399)
        return { url, status: response.status, text }
      url = new URL(location, url)
      if (response.status !== 307 && response.status !== 308) body = undefined
    }
    throw new Error(`sent around without end: ${trail.slice(-5).join(' ')}`)
  }
  const browser: PlainBrowser = {
    open: (url) => go(url, undefined, undefined),
    post: (url, fields, fromOrigin) => go(url, fields, fromOrigin),
    cookie: (origin) => header(origin, false),
    give: (origin, cookie) =>
      keep(
        origin,
        cookie.split('; ').map((pair) => `${pair}; SameSite=Lax`),
      ),
    trail,
    stopAt: undefined,
  }
  return browser
}

/** Where the form of a page goes to, and its hidden fields. */
export function formOf({ url, text }: Visit): {
  readonly action: string
  readonly fields: Record<string, string>
} {
  const action = /<form[^>]*\saction="([^"]*)"/i.exec(text)?.[1]
  if (action === undefined) throw new Error(`no form at ${url.href}: ${text.slice(0, 500)}`)
  const fields: Record<string, string> = {}
  for (const [tag] of text.matchAll(/<input\b[^>]*>/gi)) {
    const name = /\sname="([^"]*)"/i.exec(tag)?.[1]
    if (name !== undefined && /type="hidden"/i.test(tag))
      fields[name] = unescape(/\svalue="([^"]*)"/i.exec(tag)?.[1] ?? '')
  }
  return { action: new URL(unescape(action), url).href, fields }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x3D': '=',
  '#x2F': '/',
}
const unescape = (text: string): string =>
  text.replaceAll(/&([#\w]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
