/** Sign-in and sign-out with e-mail and password. */
import type { Auth } from './create-auth.ts'
import { MAX_PASSWORD_CHARS } from './create-auth.ts'
import type { SignInLimit } from './sign-in-limit.ts'

export type SignInInput = {
  readonly email: string
  readonly password: string
  /** The request's own headers: user agent and address are kept with the session. */
  readonly headers: Headers
  /** What the front saw; without it only the e-mail address is limited. */
  readonly clientAddress?: string
}

export type SignInResult =
  | { readonly ok: true; readonly userId: string; readonly setCookies: readonly string[] }
  | { readonly ok: false; readonly reason: 'wrong'; readonly message: string }
  /** The password is right; these cookies let the browser go on to `secondFactor.verify`, for ten minutes. */
  | {
      readonly ok: false
      readonly reason: 'second-factor'
      readonly message: string
      readonly setCookies: readonly string[]
    }
  | {
      readonly ok: false
      readonly reason: 'too-many'
      readonly message: string
      readonly retryAfterSec: number
    }

/** One sentence for an unknown address and a wrong password alike. */
const WRONG = 'Wrong e-mail address or password.'
const SECOND_FACTOR = 'Enter the code of your authenticator app, or a backup code.'

export type SignIn = (input: SignInInput) => Promise<SignInResult>

/** Never throws for what a person typed. Unknown addresses take as long as wrong passwords (a hash is computed). */
export function createSignIn(auth: () => Promise<Auth>, limit: SignInLimit): SignIn {
  return async ({ email, password, headers, clientAddress }) => {
    const retryAfterSec = limit.waitSec(email, clientAddress)
    if (retryAfterSec !== undefined) return tooMany(retryAfterSec)
    // Counted before the slow hash, so that a burst in parallel does not slip past the limit.
    limit.failed(email, clientAddress)
    const { api } = await auth()
    const response = await api.signInEmail({
      body: { email: email.trim(), password: password.slice(0, MAX_PASSWORD_CHARS + 1) },
      headers: withoutOrigin(headers),
      asResponse: true,
    })
    if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to a sign-in`)
    if (!response.ok) return { ok: false, reason: 'wrong', message: WRONG }
    const body = (await response.json()) as { user: { id: string } } | { twoFactorRedirect: true }
    limit.succeeded(email)
    const setCookies = response.headers.getSetCookie()
    if (!('user' in body)) return { ok: false, reason: 'second-factor', message: SECOND_FACTOR, setCookies }
    return { ok: true, userId: body.user.id, setCookies }
  }
}

export function tooMany(retryAfterSec: number): Extract<SignInResult, { reason: 'too-many' }> {
  const message = `Too many tries. Wait ${Math.ceil(retryAfterSec / 60)} min and try again.`
  return { ok: false, reason: 'too-many', message, retryAfterSec }
}

/** Idempotent: without a session it only clears the cookies. */
export async function signOut(auth: () => Promise<Auth>, headers: Headers): Promise<readonly string[]> {
  const { api } = await auth()
  const response = await api.signOut({ headers: withoutOrigin(headers), asResponse: true })
  return response.headers.getSetCookie()
}

/**
 * The same-origin check was made by the caller for the form or page that was posted; better-auth's own looks at
 * its own paths and would refuse a form of a browser that sends `Origin: null`.
 */
export function withoutOrigin(headers: Headers): Headers {
  const copy = new Headers(headers)
  for (const name of ['origin', 'referer', 'content-length', 'content-type', 'sec-fetch-site'])
    copy.delete(name)
  return copy
}
