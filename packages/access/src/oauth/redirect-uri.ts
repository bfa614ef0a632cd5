/**
 * Where a browser may be sent with a code: what an application registers, and what it then asks for. RFC 8252 (native
 * applications), RFC 9700 2.1 (exact matching). https://www.rfc-editor.org/rfc/rfc8252#section-7
 */

/** Longer ones are nobody's, and all of them stand in the client id. */
const MAX_CHARS = 500

/**
 * Schemes that a program of a desktop takes have a dot (`com.example.app`), so no scheme that a browser acts on itself, such
 * as `javascript:`, passes. Cursor's has none: https://cursor.com/docs/context/mcp
 */
const isPrivateScheme = (protocol: string): boolean =>
  /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(protocol) || protocol === 'cursor:'

/** Undefined: it is allowed. Otherwise the rest of a sentence that begins with the address. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > MAX_CHARS) return `has more than ${MAX_CHARS} characters`
  // What the parser would drop or repair must not become another address later.
  if (/[^\x21-\x7e]|[\\"<>`{}|^]/.test(uri)) return 'has characters that an address cannot have'
  const url = URL.parse(uri)
  if (!url) return 'is no address'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'names a user'
  if (url.protocol === 'https:' || isPrivateScheme(url.protocol)) return undefined
  if (url.protocol === 'http:')
    return isLoopback(url)
      ? undefined
      : 'is neither https nor on this machine (127.0.0.1, [::1] or localhost)'
  return 'is neither https nor http, and its scheme has no dot'
}

/** To the letter. A program on the person's own machine takes whatever port is free, so there the port may differ. */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (redirectUriFault(uri) !== undefined) return false
  return registered.some((each) => each === uri || withoutLoopbackPort(each) === withoutLoopbackPort(uri))
}

/** What people are told of it: `https://claude.ai`, `127.0.0.1 (this computer)`. */
export function shownTarget(uri: string): string {
  const url = new URL(uri)
  if (url.protocol === 'https:') return url.origin
  return isLoopback(url) ? 'this computer' : `the application that opens ${url.protocol}//`
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

/** Of another address a text that no address of this machine has. */
function withoutLoopbackPort(uri: string): string {
  const url = new URL(uri)
  if (!isLoopback(url)) return uri
  return `${url.protocol}//${url.hostname} ${url.pathname}${url.search}`
}
