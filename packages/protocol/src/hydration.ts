/**
 * What `@sonde/react` tells of hydration: spans of a v2 container, like the navigation recorder's.
 * docs/internals/reporter-wire.md describes each attribute.
 */

/** `sentry.op`: one span a page load that was hydrated, and one a place where the browser rendered something else. */
export const HYDRATION_OP = 'ui.hydration'
export const HYDRATION_MISMATCH_OP = 'ui.hydration.mismatch'
/** Of the attributes of both. */
export const HYDRATION_PREFIX = 'sonde.hydration.'

/** Differences that are nobody's fault in the app: they are counted, and never an issue. */
export const BENIGN_DIFFERENCES = [
  /** An extension of the browser changed the page before React came. */
  'extension',
  /** The browser translated it. */
  'translation',
  /** Only white space differs, in a text, a class or a style. */
  'whitespace',
  'attribute_order',
  /** Browsers hide it from scripts. */
  'nonce',
  'xmlns',
  /** A class or attribute that says that the pointer or the focus is there. */
  'hover',
] as const
export type BenignDifference = (typeof BENIGN_DIFFERENCES)[number]

/** What differs. `unknown`: React said that something does, and it was not found. */
export const HYDRATION_DIFFERENCES = ['text', 'element', 'attribute', 'unknown'] as const
export type HydrationDifference = (typeof HYDRATION_DIFFERENCES)[number]

/** What was rendered anew for it: everything, or what lies in one Suspense boundary. */
export type HydrationScope = 'root' | 'boundary'

// What React says of hydration, read: which errors it is, and in which component.

/**
 * Why React could not keep the server's HTML. `mismatch`: the page renders something else; `server_error`: the server gave
 * up on a part, and the browser made it.
 */
export type HydrationKind = 'mismatch' | 'server_error'

// Minified errors of React 18 and 19: https://react.dev/errors/418
const MISMATCH_CODES = ['418', '421', '422', '423', '424', '425']
const SERVER_CODES = ['419']
const MISMATCH_TEXT = /hydrat|did not match|server[- ]rendered (html|text)/i
// Of a mismatch React says in its last sentence that it switched, too.
const SERVER_TEXT = /server could not finish|(?:^|: )switched to client rendering/i

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
