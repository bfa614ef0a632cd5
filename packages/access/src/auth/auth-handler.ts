/**
 * `/api/auth/*`: sign-in and sign-out for programs, as a literal list; everything else is 404. No request is handed
 * to better-auth's own router: it would read bodies of any size, and a new version could open a door that nobody
 * looked at.
 */
import { AUTH_PATH } from './create-auth.ts'
import type { SignIn } from './sign-in.ts'

const ENDPOINTS: ReadonlySet<string> = new Set(['POST /sign-in/email', 'POST /sign-out'])
/** An address and a password; anything longer is not one. */
const MAX_BODY_BYTES = 10_000

/**
 * The browser forgets pages and what scripts kept of them. Not `cookies`: that would sign people out of everything
 * under the same domain, sibling hosts too (https://www.w3.org/TR/clear-site-data/#grammardef-cookies), and ours are
 * cleared by name.
 */
export const CLEAR_SITE_DATA = ['clear-site-data', '"cache", "storage"'] as const

const STATUS = { wrong: 401, 'second-factor': 401, 'too-many': 429, busy: 503 } as const

export type AuthHandlerOptions = {
  readonly signIn: SignIn
  readonly signOut: (headers: Headers) => Promise<readonly string[]>
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  /** Where the request came from, for the limit. */
  readonly clientAddress: (headers: Headers) => string | undefined
}

/** Answers 403 to a change from another origin, 429 with `Retry-After` beyond the limit. */
export function createAuthHandler(options: AuthHandlerOptions) {
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.slice(AUTH_PATH.length).replace(/\/$/, '')
    const endpoint = `${request.method} ${path}`
    if (!ENDPOINTS.has(endpoint)) return answer(404, 'not found')
    if (!sameOrigin(request.headers, options.publicUrl, options.trustedOrigins)) {
      return answer(403, 'this must come from the same origin')
    }
    // Its body, if there is one, says nothing and is not read.
    if (endpoint === 'POST /sign-out') {
      const signedOut = answer(200, undefined, await options.signOut(request.headers))
      signedOut.headers.set(...CLEAR_SITE_DATA)
      return signedOut
    }
    const text = await boundedText(request, MAX_BODY_BYTES)
    if (text === undefined) return answer(413, `a sign-in has at most ${MAX_BODY_BYTES} bytes`)
    const body = credentials(text)
    if (!body) return answer(400, 'a JSON object with email and password is needed')
    const clientAddress = options.clientAddress(request.headers)
    const result = await options.signIn({
      ...body,
      headers: request.headers,
      ...(clientAddress === undefined ? {} : { clientAddress }),
    })
    if (result.ok) return answer(200, undefined, result.setCookies)
    const cookies = result.reason === 'second-factor' ? result.setCookies : []
    const refused = answer(STATUS[result.reason], result.message, cookies)
    if ('retryAfterSec' in result) refused.headers.set('retry-after', String(result.retryAfterSec))
    return refused
  }
}

function credentials(text: string): { email: string; password: string } | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return undefined
    const { email, password } = body as { email?: unknown; password?: unknown }
    return typeof email === 'string' && typeof password === 'string' ? { email, password } : undefined
  } catch {
    return undefined
  }
}

function answer(status: number, detail: string | undefined, setCookies: readonly string[] = []): Response {
  const headers = new Headers({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(detail === undefined ? { ok: true } : { detail }), { status, headers })
}

/** The body of a request from somebody who has not signed in: read once, and never more of it than the bound. */

/**
 * Undefined: longer than the bound; what is behind it was not read. Counted by bytes that came: `content-length` is
 * the sender's word, and a chunked body has none.
 */
async function boundedText(request: Request, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined // leaving the loop cancels the stream
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

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
