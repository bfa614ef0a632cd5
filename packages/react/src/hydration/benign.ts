/** Differences that are not the app's: what extensions, translators and browsers themselves change. */
import type { BenignDifference } from '@sonde/browser'

// Grammarly, ColorZilla, LanguageTool, Dark Reader, LastPass, password managers and shopping helpers.
const OF_EXTENSION =
  /^(data-(gr-|new-gr|lt-|darkreader|lastpass|gramm|bwi|np-|1p-|dashlane|form-type)|cz-shortcut-listen|monica-|inject_|bis_|__processed|fdprocessedid)/
const EXTENSION_NODE =
  'grammarly-desktop-integration, grammarly-extension, [src^="chrome-extension:"], [src^="moz-extension:"], [href^="chrome-extension:"], [src^="safari-web-extension:"]'
const OF_POINTER = /hover|focus/i

/** Undefined: it is the app's own, and a real difference. */
export function benignAttribute(
  name: string,
  before: string | null,
  after: string | null,
): BenignDifference | undefined {
  if (OF_EXTENSION.test(name)) return 'extension'
  if (name === 'nonce') return 'nonce'
  if (name.startsWith('xmlns')) return 'xmlns'
  if (OF_POINTER.test(name)) return 'hover'
  if (before === null || after === null) return undefined
  const parts = (text: string): string[] =>
    text.split(name === 'style' ? ';' : /\s/).flatMap((part) => part.replace(/\s+/g, '') || [])
  const [left, right] = [parts(before), parts(after)]
  if (left.join(' ') === right.join(' ')) return 'whitespace'
  if (name !== 'class' && name !== 'style') return undefined
  const only = [
    ...left.filter((part) => !right.includes(part)),
    ...right.filter((part) => !left.includes(part)),
  ]
  return only.length === 0
    ? 'attribute_order'
    : only.every((part) => OF_POINTER.test(part))
      ? 'hover'
      : undefined
}

/** Undefined: the app may have made it. */
export function benignElement(element: Element): BenignDifference | undefined {
  if (element.matches(EXTENSION_NODE)) return 'extension'
  return element.localName === 'font' ? 'translation' : undefined
}

/** What else changed the document before React came. */
export function meddler({ documentElement: html, body }: Document): 'extension' | 'translation' | undefined {
  if (/\btranslated-(ltr|rtl)\b/.test(html.className) || html.querySelector('font > font'))
    return 'translation'
  const names = [html, body].flatMap((element) => element?.getAttributeNames() ?? [])
  return names.some((name) => OF_EXTENSION.test(name)) || html.querySelector(EXTENSION_NODE)
    ? 'extension'
    : undefined
}
