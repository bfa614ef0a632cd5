/**
 * Under which names the screens and the API answer. Without a public address the screens take their origin from `Host`,
 * and a page of a stranger whose name was pointed at this machine (DNS rebinding) would be compared with itself.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { GateRule } from './gate.ts'
import type { Refused } from './refuse.ts'

export type KnownHostsOptions = {
  /** What Sonde listens on. */
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly publicUrl: string
  /** The operator named the origin that browsers use: nothing is taken from `Host` then. */
  readonly isBehindProxy: boolean
}

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
