/** Hosts and sites of addresses, as far as noise is known by them. Never throws. */

/** Lower case, without its port; undefined: no address of the web. */
export function hostOf(address: string | undefined): string | undefined {
  const found = /^https?:\/\/(?:[^/?#@]{0,200}@)?([a-z0-9.-]{1,253})/i.exec(address ?? '')?.[1]
  return found?.toLowerCase()
}

/** Second-level domains under which others are registered, of the largest countries; all others have one label. */
const TWO_LABELS = new Set(['co', 'com', 'org', 'net', 'gov', 'edu', 'ac'])

/** What one party registered: `shop.example` of `cdn.shop.example`. */
export function siteOf(host: string): string {
  const labels = host.split('.')
  const isCountry = (labels.at(-1)?.length ?? 0) === 2 && TWO_LABELS.has(labels.at(-2) ?? '')
  return labels.slice(isCountry ? -3 : -2).join('.')
}

export const startOf = (text: string, starts: readonly string[]): string | undefined =>
  starts.find((start) => text.startsWith(start))
