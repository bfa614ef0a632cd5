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
export const HYDRATION_SCOPES = ['root', 'boundary'] as const
export type HydrationScope = (typeof HYDRATION_SCOPES)[number]
