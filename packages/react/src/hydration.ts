/** What React says when the HTML of the server is not what the page renders. */

/** - `mismatch`: rendered differently; - `server_error`: the server gave up on a part, the browser made it. */
export type HydrationKind = 'mismatch' | 'server_error'

// Minified errors of React 18 and 19: https://react.dev/errors/418
const MISMATCH_CODES = ['418', '421', '422', '423', '424', '425']
const SERVER_CODES = ['419']
const MISMATCH_TEXT = /hydrat|did not match|server rendered (html|text)/i
const SERVER_TEXT = /server could not finish|switched to client rendering/i

/** Undefined for any other error that React recovered from. */
export function hydrationKind(error: unknown): HydrationKind | undefined {
  const text = String((error as Error | undefined)?.message ?? error)
  const code = /Minified React error #(\d+)/.exec(text)?.[1]
  if (code !== undefined) {
    return SERVER_CODES.includes(code)
      ? 'server_error'
      : MISMATCH_CODES.includes(code)
        ? 'mismatch'
        : undefined
  }
  return SERVER_TEXT.test(text) ? 'server_error' : MISMATCH_TEXT.test(text) ? 'mismatch' : undefined
}

/**
 * The component a mismatch is in, as the component stack names it first. Minified names change with every build and
 * would split what belongs together: then the element's, which does not.
 */
export function mismatchedComponent(componentStack: string | null | undefined): string {
  const names = (componentStack ?? '')
    .split('\n')
    .flatMap((line) => /^\s*(?:at )?([\w$.]+)(?=[ @(]|$)/.exec(line)?.[1] ?? [])
  return (
    names.find((name) => /^[A-Z]\w{2,}/.test(name)) ??
    names.find((name) => /^[a-z][\w-]*$/.test(name)) ??
    'unknown'
  )
}

/** What else changed the document before React came; the app is not to blame then. */
export function meddler(document: Document): 'extension' | 'translation' | undefined {
  const { documentElement: html, body } = document
  if (/\btranslated-(ltr|rtl)\b/.test(html.className) || document.querySelector('font > font'))
    return 'translation'
  const names = [html, body].flatMap((element) => element?.getAttributeNames() ?? [])
  // Grammarly, ColorZilla, LanguageTool, Dark Reader, LastPass, password managers and shopping helpers.
  const isMarked = names.some((name) =>
    /^(data-(gr-|new-gr|lt-installed|darkreader|lastpass|gramm|bwi|np-)|cz-shortcut-listen|monica-|inject_)/.test(
      name,
    ),
  )
  const isInjected = document.querySelector(
    'grammarly-desktop-integration, [src^="chrome-extension:"], [src^="moz-extension:"], [href^="chrome-extension:"], [src^="safari-web-extension:"]',
  )
  return isMarked || isInjected ? 'extension' : undefined
}
