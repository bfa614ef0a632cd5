/** Whose address a request came from, with as much trust in X-Forwarded-For as the operator gives. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { ConfigError } from '@sonde/base'

/**
 * `false`: the socket's peer. `true`: every peer is a proxy of ours, so the first entry counts (only
 * right where nobody can reach Sonde around the proxy). A list of addresses and CIDR ranges: entries
 * are believed from the right for as long as they were added by one of these.
 */
export type TrustProxy = boolean | readonly string[]

// A longer chain than any real one; what an attacker appends beyond costs nothing.
const MAX_HOPS = 32

/** Throws `ConfigError` at start when an entry of the list is neither an address nor a range. */
export function createClientAddress(trustProxy: TrustProxy): (req: IncomingMessage) => string | undefined {
  if (trustProxy === false) return peerOf
  const isTrusted = trustProxy === true ? () => true : createTrustList(trustProxy)
  return (req) => {
    const peer = peerOf(req)
    const forwarded = req.headers['x-forwarded-for']
    if (forwarded === undefined || peer === undefined || !isTrusted(peer)) return peer
    const hops = String(forwarded).split(',').slice(-MAX_HOPS)
    let client = peer
    for (let hop = hops.pop(); hop !== undefined; hop = hops.pop()) {
      const address = plainAddress(hop)
      if (address === undefined) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  }
}

function createTrustList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    const bits = prefix === undefined ? undefined : Number(prefix)
    const maxBits = family === 6 ? 128 : 32
    if (family === 0 || (bits !== undefined && !(Number.isInteger(bits) && bits >= 0 && bits <= maxBits)))
      throw new ConfigError('trustProxy', `"${entry}" is neither an address nor a range like 10.0.0.0/8`)
    const type = family === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, bits, type)
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
