/**
 * Names and attributes of the cookies. Over https they carry the `__Host-` prefix: the browser then takes them only
 * with Secure, with `Path=/` and without a domain, so that no sibling host can plant one
 * (https://www.rfc-editor.org/rfc/rfc6265#section-4.1.3 in its revision, draft-ietf-httpbis-rfc6265bis).
 */

export type Cookies = {
  readonly isSecure: boolean
  /** better-auth puts a dot and its own name behind it. */
  readonly prefix: string
  /** The value of one of ours, as it was sent. */
  read(name: CookieName, headers: Headers): string | undefined
  /** A `Set-Cookie` value, with what all of ours have. */
  write(name: CookieName, value: string, maxAgeSec: number): string
}

export type CookieName = 'session_token' | 'two_factor' | 'device'

export function createCookies(publicUrl: string): Cookies {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  const prefix = isSecure ? '__Host-sonde' : 'sonde'
  return {
    isSecure,
    prefix,
    read(name, headers) {
      const start = `${prefix}.${name}=`
      const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
    },
    write: (name, value, maxAgeSec) =>
      `${prefix}.${name}=${value}; Max-Age=${maxAgeSec}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  }
}
