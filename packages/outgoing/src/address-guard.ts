/**
 * Which addresses a request to a place that somebody typed in may reach: addresses of the public internet, and what the
 * operator lists. Everything else (this machine, its networks, metadata services of clouds) would let whoever may add a webhook
 * look behind the firewall. What kind an address is, says ipaddr.js by the registries of the IANA.
 */
import ipaddr from 'ipaddr.js'

export type AddressGuard = {
  /** Whether a socket to this address may be opened. `address`: as the resolver gave it, without brackets. */
  allows(address: string): boolean
}

/** `allowed`: addresses and CIDR ranges, such as `10.1.0.0/16`. Throws `RangeError` for another form. */
export function createAddressGuard(allowed: readonly string[] = []): AddressGuard {
  const ranges = allowed.map(readRange)
  return {
    allows(text) {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.parse(text)
      // An IPv4 address in IPv6 clothes reaches the same machine, so it is judged as what it is.
      const plain =
        address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
      return plain.range() === 'unicast' || ranges.some((range) => isWithin(plain, range))
    },
  }
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** An address alone is a range of one. */
function readRange(text: string): Range {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv6' ? 128 : 32]
  } catch {
    throw new RangeError(`"${text}" is neither an address nor a range like 10.0.0.0/8`)
  }
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits)
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}
