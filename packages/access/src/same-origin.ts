/**
 * Cross-site request forgery: a change that a cookie authorises must come from our own pages. `Sec-Fetch-Site` cannot
 * be set by scripts (https://www.w3.org/TR/fetch-metadata/); older browsers send `Origin`. A request with neither is
 * refused: no browser of the last years posts without one.
 */
export function sameOrigin(
  headers: Headers,
  publicUrl: string,
  trustedOrigins: readonly string[] = [],
): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origin === new URL(publicUrl).origin || trustedOrigins.includes(origin)
  return headers.get('sec-fetch-site') === 'same-origin'
}
