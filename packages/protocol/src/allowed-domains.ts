/**
 * Which pages may send to a project: entries such as `*`, `shop.example`, `*.shop.example` (the domain and everything
 * below it), `https://shop.example`, `localhost:5173`. Without a scheme http and https are meant, without a port every
 * port. https://docs.sentry.io/concepts/key-terms/dsn-explainer/#dsn-utilization
 */
export type AllowedDomain = {
  /** Undefined: http and https. */
  readonly scheme?: string
  /** As browsers write it: lower case, international names encoded. Empty, with `isTree`: every host. */
  readonly host: string
  /** What is below the host is meant too. */
  readonly isTree: boolean
  /** Undefined: any. */
  readonly port?: string
}

const ENTRY = /^(?:(https?):\/\/)?(\*\.)?([^\s/?#@*\\]+?)(?::(\d{1,5}))?\/?$/i
const EVERY: AllowedDomain = { host: '', isTree: true }

/** Undefined for what is no entry: another scheme, a path, a `*` within a name. */
export function parseAllowedDomain(entry: string): AllowedDomain | undefined {
  if (entry === '*') return EVERY
  const found = ENTRY.exec(entry)
  if (!found) return undefined
  const [, scheme, tree, name = '', port] = found
  const url = URL.parse(`${scheme ?? 'http'}://${name}${port === undefined ? '' : `:${port}`}`)
  if (!url) return undefined
  return {
    ...(scheme === undefined ? {} : { scheme: `${scheme.toLowerCase()}:` }),
    host: url.hostname,
    isTree: tree !== undefined,
    ...(port === undefined ? {} : { port: String(Number(port)) }),
  }
}

/**
 * The origin of the page that a request comes from, by `Origin`, else by `Referer`. Undefined when neither names an
 * http or https page: servers and apps send none, and browsers write `null` for pages that want to stay unknown.
 */
export function pageOrigin(origin: string | undefined, referer: string | undefined): URL | undefined {
  for (const text of [origin, referer]) {
    // Not `canParse`: it takes hosts that `new URL` throws for (Node 24, over 16,384 capital letters).
    const page = text !== undefined && /^https?:\/\//i.test(text) ? URL.parse(text) : null
    if (page) return page
  }
  return undefined
}

export function isAllowedPage(page: URL, allowed: readonly AllowedDomain[]): boolean {
  return allowed.some((domain) => {
    if (domain.scheme !== undefined && domain.scheme !== page.protocol) return false
    if (domain.port !== undefined && domain.port !== portOf(page)) return false
    if (domain.isTree && (domain.host === '' || page.hostname.endsWith(`.${domain.host}`))) return true
    return page.hostname === domain.host
  })
}

/** URLs leave out the port that their scheme implies. */
const portOf = ({ port, protocol }: URL): string =>
  port === '' ? (protocol === 'https:' ? '443' : '80') : port
