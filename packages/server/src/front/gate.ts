/** Runs before every route: refuses what no part of Sonde accepts, and ignores whatever follows on that connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { isRefused, refuse, type Refused } from './refuse.ts'
import { tellRequestId } from './request-scope.ts'

/** What no part of Sonde takes: refused at the front before any part sees it. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/**
 * A body of these means nothing (RFC 9110, 9.3.1), and programs differ in whether they read it. Whoever does not takes
 * it for the next request on the connection. https://www.rfc-editor.org/rfc/rfc9112#section-11.2
 */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

function requestRefusal(req: IncomingMessage): Refused | undefined {
  const method = req.method ?? ''
  if (!METHODS.has(method)) {
    const allow = [...METHODS].join(', ')
    return { status: 405, detail: `${method} is not offered here`, allow }
  }
  if (WITHOUT_BODY.has(method) && hasBody(req)) {
    return { status: 400, detail: `a ${method} request must come without a body` }
  }
  if (hostCount(req) > 1) return { status: 400, detail: 'the request names more than one Host' }
  if (!req.url?.startsWith('/')) {
    return { status: 400, detail: 'the request must name a path that begins with /' }
  }
  return undefined
}

/** node:http takes the first of two; a proxy in front may have looked at the second. It refuses none by itself. */
function hostCount({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** As it is framed: a chunked body may still turn out to be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || !/^0*$/.test(headers['content-length'] ?? '')
}

export type GateRule = (req: IncomingMessage) => Refused | undefined
type Handler = (req: IncomingMessage, res: ServerResponse) => void

export function createGate(next: Handler): Handler {
  return (req, res) => {
    if (isRefused(req)) return void req.resume()
    const refusal = requestRefusal(req)
    if (refusal) {
      tellRequestId(res)
      return refuse(req, res, refusal)
    }
    next(req, res)
  }
}

export type KnownHostsOptions = {
  /** What Sonde listens on. */
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly publicUrl: string
  /** The operator named the origin that browsers use: nothing is taken from `Host` then. */
  readonly isBehindProxy: boolean
}

/**
 * Under which names the screens and the API answer. Without a public address the screens take their origin from `Host`,
 * and a page of a stranger whose name was pointed at this machine (DNS rebinding) would be compared with itself.
 */
export function createHostRule({
  host,
  allowedHosts,
  publicUrl,
  isBehindProxy,
}: KnownHostsOptions): GateRule {
  if (isBehindProxy && allowedHosts.length === 0) return () => undefined
  const names = new Set(
    [host, new URL(publicUrl).hostname, ...allowedHosts].map((name) => name.toLowerCase()),
  )
  return (req) => {
    const name = hostName(req)
    return name !== undefined && (isOwnName(name) || names.has(name)) ? undefined : MISDIRECTED
  }
}

const MISDIRECTED: Refused = {
  status: 421,
  detail:
    'Sonde is not known under this host name: set SONDE_PUBLIC_URL to the address that browsers use, or add the name to SONDE_ALLOWED_HOSTS',
}

/** Nobody can point these elsewhere: addresses are not looked up, and browsers keep localhost on the machine. */
const isOwnName = (name: string): boolean =>
  isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')

/** Of `Host`, without port and brackets, in lower case. A port may be another than ours: containers map them. */
export function hostName({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d+)?$/i.exec(headers.host ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '')
}
