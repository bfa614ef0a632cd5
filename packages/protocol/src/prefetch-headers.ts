/** How a request says that it fetches ahead of a visit. Names in lower case. */

/** Of browsers: `prefetch`, also `prefetch;prerender` of speculation rules. https://wicg.github.io/nav-speculation/prefetch.html */
export const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Of Next.js, its app router and its pages router with middleware; any value says it. */
export const NEXT_PREFETCH_HEADERS = ['next-router-prefetch', 'x-middleware-prefetch'] as const

/** Sentry's SDK for Next.js sets it to true on the spans of such requests; Sonde where the SDK sent the headers alone. */
export const PREFETCH_ATTRIBUTE = 'http.request.prefetch'
