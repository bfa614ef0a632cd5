/** How a request says that it fetches ahead of a visit. Names in lower case. */

/** Of browsers: `prefetch`, also `prefetch;prerender` of speculation rules. https://wicg.github.io/nav-speculation/prefetch.html */
export const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Of Next.js, its app router and its pages router with middleware; any value says it. */
export const NEXT_PREFETCH_HEADERS = ['next-router-prefetch', 'x-middleware-prefetch'] as const

/** True on the span of such a request: by Sentry's SDK for Next.js, and by Sonde where an SDK sent the headers alone. */
export const PREFETCH_ATTRIBUTE = 'http.request.prefetch'
/** The same by Sentry's SDK for Node: packages/core/src/integrations/http/server-subscription.ts of 11.8. */
export const NODE_PREFETCH_ATTRIBUTE = 'sentry.http.prefetch'
