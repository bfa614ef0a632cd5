/** Never the query, the fragment or a password: they may hold anything. */

/** Path of the page's own URLs, origin and path of others; only the scheme of what carries its content in itself. */
export const describeUrl = ({ origin, protocol, pathname }: URL): string =>
  origin === location.origin ? pathname : protocol.startsWith('http') ? origin + pathname : protocol
