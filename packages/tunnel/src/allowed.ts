/**
 * Which servers a tunnel may connect to, and which of them a DSN means. Nothing in a request can add one: the URL that
 * is connected to is always made from the operator's own text.
 */
import { type Dsn, formatDsn, parseDsn } from '@sonde/protocol/dsn'

/**
 * `https://sonde.example/` lets every project of that server through, a DSN only its own. With `via` the server is
 * reached under another address than the one in DSNs, such as one inside a private network.
 */
export type Destination = string | { readonly to: string; readonly via: string }

/** The base URL to send to, without a trailing slash; undefined when the DSN names no allowed server. */
export type FindDestination = (dsn: Dsn) => string | undefined

/** Throws a `TypeError` at start for what is neither a DSN nor the URL of a server. */
export function readDestinations(destinations: readonly Destination[]): FindDestination {
  if (destinations.length === 0) throw new TypeError('createTunnel: "to" names no server to send to')
  const bases = new Map(destinations.map((destination) => readDestination(destination)))
  return (dsn) => bases.get(formatDsn(canonical(dsn))) ?? bases.get(baseOf(dsn))
}

function readDestination(destination: Destination): [accepted: string, base: string] {
  const { to, via } = typeof destination === 'string' ? { to: destination, via: undefined } : destination
  const dsn = parseDsn(to)
  const accepted = dsn ? formatDsn(canonical(dsn)) : readBase('to', to)
  return [accepted, via === undefined ? (dsn ? baseOf(dsn) : accepted) : readBase('via', via)]
}

/** Throws a `TypeError`. */
export function readBase(option: 'to' | 'via' | 'also', text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `createTunnel: "${option}" has ${JSON.stringify(text)}; use https://host, or a DSN such as https://key@host/1`,
    )
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** Through `URL`, so that `:443` and the case of the host make no difference. */
function baseOf(dsn: Dsn): string {
  const { scheme, host, port, path } = dsn
  const text = `${scheme}://${host}${port === undefined ? '' : `:${port}`}${path}`
  return URL.canParse(text) ? `${new URL(text).origin}${path}` : ''
}

function canonical(dsn: Dsn): Dsn {
  const { port: _port, ...rest } = dsn
  const base = baseOf(dsn)
  const { hostname, port } = base === '' ? { hostname: dsn.host, port: '' } : new URL(base)
  return {
    ...rest,
    publicKey: dsn.publicKey.toLowerCase(),
    host: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
  }
}
