/** Addresses of the scripts that a page's HTML names: `<script src>` and `<link rel="modulepreload">`. */

const TAG = /<(script|link|base)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi
const ATTRIBUTE = /([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const COMMENT = /<!--[\s\S]*?-->/g

/** Absolute, each once, in the order of the page. */
export function scriptAddresses(html: string, pageUrl: string): string[] {
  let base = pageUrl
  const found = new Set<string>()
  for (const [, name = '', inside = ''] of html.replace(COMMENT, '').matchAll(TAG)) {
    const attributes = attributesOf(inside)
    const href = attributes.get('href')
    const tag = name.toLowerCase()
    if (tag === 'base' && href !== undefined && URL.canParse(href, pageUrl))
      base = new URL(href, pageUrl).href
    const address =
      tag === 'script'
        ? attributes.get('src')
        : /^modulepreload$/i.test(attributes.get('rel') ?? '')
          ? href
          : undefined
    if (address === undefined || address === '' || !URL.canParse(address, base)) continue
    const url = new URL(address, base)
    if (/^https?:$/.test(url.protocol)) found.add(url.href)
  }
  return [...found]
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE))
    found.set(name.toLowerCase(), (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'))
  return found
}
