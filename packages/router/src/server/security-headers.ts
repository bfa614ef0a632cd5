/** Content-Security-Policy and its kin for HTML answers. No `unsafe-inline` anywhere. */

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
