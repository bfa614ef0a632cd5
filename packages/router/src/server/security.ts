/** Which posts are accepted, and the Content-Security-Policy (never `unsafe-inline`) and its kin for HTML answers. */

export type CspDirectives = Readonly<Record<string, readonly string[]>>

export type SecurityOptions = {
  readonly nonce: string
  /** The public origin; HTTPS adds Strict-Transport-Security. */
  readonly origin: string
  /** Sources added to a directive, or directives added. */
  readonly extraCsp?: CspDirectives
}

export function securityHeaders({ nonce, origin, extraCsp = {} }: SecurityOptions): [string, string][] {
  const base: CspDirectives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  const names = new Set([...Object.keys(base), ...Object.keys(extraCsp)])
  const policy = [...names]
    .map((name) => [name, ...(base[name] ?? []), ...(extraCsp[name] ?? [])].join(' '))
    .join('; ')
  return [
    ['content-security-policy', policy],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
    ...(origin.startsWith('https:')
      ? ([['strict-transport-security', 'max-age=31536000']] as [string, string][])
      : []),
  ]
}

type PostVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

/**
 * Whether a post comes from our own pages. Browsers send Origin with every post, and Sec-Fetch-Site
 * with every request to a trustworthy URL (Fetch metadata, w3.org/TR/fetch-metadata); neither can be
 * set by a script of another site. Strict: a post that has neither is refused.
 * @param origin our public origin, `https://sonde.example`
 */
export function judgePost(headers: Headers, origin: string): PostVerdict {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') {
    return refused(`Sec-Fetch-Site is "${site}", only "same-origin" may post`)
  }
  const from = headers.get('origin')
  if (from !== null && from !== origin) {
    return refused(`Origin is "${from}", this server is "${origin}"; behind a proxy set the public origin`)
  }
  if (site === null && from === null) return refused('neither Origin nor Sec-Fetch-Site was sent')
  return { allowed: true }
}

function refused(reason: string): PostVerdict {
  return { allowed: false, reason }
}
