/**
 * `/api/auth/*`: sign-in and sign-out for programs, as a literal list; everything else is 404. No request is handed
 * to better-auth's own router: it would read bodies of any size, and a new version could open a door that nobody
 * looked at.
 */
import { sameOrigin } from '../same-origin.ts'
import { AUTH_PATH } from './create-auth.ts'
import { boundedText } from './bounded-body.ts'
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
