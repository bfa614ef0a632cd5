/** Whose address a request came from, with as much trust in X-Forwarded-For as the operator gives. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ConfigError } from '@sonde/base'

/**
 * Entries are read from the right, since each proxy appends the one that it saw and a client can write any before it.
 * A number: so many proxies stand in front, the nearest included (0: the socket's peer is the client). A list of
 * addresses and CIDR ranges: entries are believed for as long as they were added by one of these.
 */
export type TrustProxy = number | readonly string[]

export type ProxyTrust = {
  clientAddress(req: IncomingMessage): string | undefined
  /** The peer is a proxy of the operator's: it may say how the client came. */
  isProxy(req: IncomingMessage): boolean
}

// A longer chain than any real one; what an attacker appends beyond costs nothing.
const MAX_HOPS = 32

/** Throws `ConfigError` at start when an entry of the list is neither an address nor a range. */
export function createProxyTrust(trustProxy: TrustProxy): ProxyTrust {
  const isTrusted =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : createTrustList(trustProxy)
  const isProxy = (req: IncomingMessage): boolean => {
    const peer = peerOf(req)
    return peer !== undefined && isTrusted(peer, 0)
  }
  return {
    isProxy,
    clientAddress(req) {
      const peer = peerOf(req)
      const forwarded = req.headers['x-forwarded-for']
      if (forwarded === undefined || peer === undefined || !isProxy(req)) return peer
      const hops = String(forwarded).split(',').slice(-MAX_HOPS).toReversed()
      let client = peer
      for (const [index, hop] of hops.entries()) {
        const address = plainAddress(hop)
        if (address === undefined) return client
        client = address
        if (!isTrusted(address, index + 1)) return client
      }
      return client
    },
  }
}

/** An address, or a range like 10.0.0.0/8. */
export function isAddressOrRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

function createTrustList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    if (!isAddressOrRange(entry))
      throw new ConfigError('trustProxy', `"${entry}" is neither an address nor a range like 10.0.0.0/8`)
    const [address = '', prefix] = entry.split('/')
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(prefix), type)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function peerOf(req: IncomingMessage): string | undefined {
  const { remoteAddress } = req.socket
  return remoteAddress === undefined ? undefined : plainAddress(remoteAddress)
}

/** Without the IPv4-in-IPv6 prefix of dual-stack sockets, without port, brackets and zone. */
function plainAddress(text: string): string | undefined {
  let address = text.trim()
  if (address.startsWith('::ffff:') && address.includes('.')) address = address.slice(7)
  if (isIP(address) !== 0) return address
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? /^([\d.]+):\d+$/.exec(address)
  const inner = bracketed?.[1]
  return inner !== undefined && isIP(inner) !== 0 ? inner : undefined
}
