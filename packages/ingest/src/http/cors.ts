/**
 * Pages of any origin send here, and their SDKs must be able to read the limits, also from errors.
 * Browsers hide every response header that `Expose-Headers` does not name.
 * https://developer.mozilla.org/docs/Web/HTTP/Guides/CORS
 */

/** Flat name, value pairs: the form that `writeHead` takes without building an object first. */
const CORS_HEADERS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
]

/** Nobody reads an answer as anything but what it says it is. */
export const STANDING_HEADERS: readonly string[] = [...CORS_HEADERS, 'X-Content-Type-Options', 'nosniff']

const BASE_HEADERS =
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, ' +
  'authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent'

const HEADER_LIST = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/

/**
 * Answers to OPTIONS. What the browser asks to send is allowed as it asks: nothing rests on these
 * headers (no cookies, no credentials), and newer SDKs add some. An hour saves most preflights.
 */
export function preflightHeaders(methods: string, requestedHeaders: string | undefined): string[] {
  const asked = requestedHeaders !== undefined && HEADER_LIST.test(requestedHeaders)
  return [
    ...STANDING_HEADERS,
    'Access-Control-Allow-Methods',
    `${methods}, OPTIONS`,
    'Access-Control-Allow-Headers',
    asked ? `${BASE_HEADERS}, ${requestedHeaders}` : BASE_HEADERS,
    'Access-Control-Max-Age',
    '3600',
    'Allow',
    `${methods}, OPTIONS`,
    'Content-Length',
    '0',
  ]
}
