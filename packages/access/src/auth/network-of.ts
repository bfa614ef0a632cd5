import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whom an address belongs to, as far as a limit must care: an IPv4 address is one customer's, and of IPv6 each customer
 * gets 2^64 at least (RFC 6177), so those count as one. Undefined for what is no address.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const plain = address.replace(/%.*$/s, '') // the zone of a link-local address
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return undefined
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The URL parser writes an IPv6 address in one canonical way, also one that ends in an IPv4 address. */
function groupsOf(ipv6: string): readonly number[] {
  const canonical = new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
  const [left = '', right] = canonical.split('::')
  const numbers = (text = ''): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(left), numbers(right)]
  const zeros = right === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}
