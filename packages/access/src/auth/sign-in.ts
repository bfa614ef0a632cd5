/** Sign-in and sign-out with e-mail and password. */
import type { Records } from '@sonde/stores'
import { z } from 'zod'
import type { Auth } from './create-auth.ts'
import { MAX_PASSWORD_CHARS } from './create-user.ts'
import { GATE_RETRY_SEC, type HashGate } from './hash-gate.ts'
import type { KnownDevices } from './known-device.ts'
import type { SecurityEvents } from './security-events.ts'
import { type BoundName, networkOf, passwordBounds, type TryLimit } from './try-limit.ts'

/** Who is locked out: no session is made for them, by whichever door they come. */
export const ACCOUNT_DISABLED = { code: 'ACCOUNT_DISABLED', message: 'this account is disabled' } as const
/** Only whoever knows the password reads it. */
export const DISABLED = 'This account is disabled. Ask whoever runs this Sonde.'

export async function isDisabled(records: Records, userId: string): Promise<boolean> {
  const user = await records
    .selectFrom('user')
    .select('disabledMs')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user === undefined || user.disabledMs !== null
}

/** Leaves the body to be read. */
export async function saysDisabled(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined
  return body?.code === ACCOUNT_DISABLED.code
}

export type SignInInput = {
  readonly email: string
  readonly password: string
  /** The request's own headers: user agent and address are kept with the session. */
  readonly headers: Headers
  /** What the front saw; without it the limit takes all for one network. */
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
  | Later<'too-many'>
  /** More people sign in at this moment than hashes may run; nothing was counted. */
  | Later<'busy'>

type Later<Reason extends string> = {
  readonly ok: false
  readonly reason: Reason
  readonly message: string
  readonly retryAfterSec: number
}

/** One sentence for an unknown address and a wrong password alike. */
const WRONG = 'Wrong e-mail address or password.'
const SECOND_FACTOR = 'Enter the code of your authenticator app, or a backup code.'

export type SignIn = (input: SignInInput) => Promise<SignInResult>

export type SignInDeps = {
  readonly auth: () => Promise<Auth>
  readonly limit: TryLimit
  readonly gate: HashGate
  readonly devices: KnownDevices
  readonly events: SecurityEvents
}

/** RFC 5321 allows no longer one. */
const MAX_EMAIL_CHARS = 254
/** Nobody's: what is no address takes as long as one, and its try costs a hash too. */
const NO_ADDRESS = 'nobody@sonde.invalid'

/** Never throws for what a person typed. Unknown addresses take as long as wrong passwords (a hash is computed). */
export function createSignIn({ auth, limit, gate, devices, events }: SignInDeps): SignIn {
  const failed = async (email: string, address: string | undefined, filled: readonly BoundName[]) => {
    const person = email === NO_ADDRESS ? undefined : await events.personWith(email)
    const facts = { userId: person?.userId, email: person?.email, address }
    const reason = person ? 'wrong-password' : 'unknown-user'
    await events.record({ event: 'sign_in_failed', ...facts, reason })
    for (const name of filled) await events.record({ event: 'sign_in_locked', ...facts, reason: name })
  }
  return async ({ email: typed, password, headers, clientAddress }) => {
    const email = addressOf(typed)
    const network = networkOf(clientAddress)
    const device = await devices.idOf(headers, { email })
    const bounds = passwordBounds(email, { network, device })
    const full = await limit.look(bounds)
    if (full) return tooMany(full.retryAfterSec)
    const leave = await gate.enter({ isKnown: device !== undefined, network })
    if (!leave) return BUSY
    try {
      // Counted before the slow hash, so that a burst in parallel does not slip past the limit.
      const taken = await limit.take(bounds)
      if ('retryAfterSec' in taken) return tooMany(taken.retryAfterSec)
      const { api } = await auth()
      const response = await api.signInEmail({
        body: { email, password: password.slice(0, MAX_PASSWORD_CHARS + 1) },
        headers: withoutOrigin(headers, clientAddress),
        asResponse: true,
      })
      if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to a sign-in`)
      if (await saysDisabled(response)) {
        const person = await events.personWith(email)
        const facts = { userId: person?.userId, email, address: clientAddress }
        await events.record({ event: 'sign_in_failed', ...facts, reason: 'disabled' })
        return { ok: false, reason: 'wrong', message: DISABLED }
      }
      if (!response.ok) {
        // Not waited for: a row for somebody, and none for nobody, must not show in the time.
        void failed(email, clientAddress, taken.filled).catch(() => undefined)
        return { ok: false, reason: 'wrong', message: WRONG }
      }
      const body = (await response.json()) as { user: { id: string } } | { twoFactorRedirect: true }
      await limit.succeeded(bounds)
      const setCookies = response.headers.getSetCookie()
      if (!('user' in body)) return { ok: false, reason: 'second-factor', message: SECOND_FACTOR, setCookies }
      const userId = body.user.id
      await events.record({
        event: 'sign_in',
        userId,
        email,
        address: clientAddress,
        reason: 'password',
        ...browserOf(headers, device),
      })
      return { ok: true, userId, setCookies: [...setCookies, ...(await devices.remember(userId))] }
    } finally {
      leave()
    }
  }
}

/** For the mail about a sign-in. */
export const browserOf = (headers: Headers, device: string | undefined) => ({
  userAgent: headers.get('user-agent')?.slice(0, 500),
  isKnownDevice: device !== undefined,
})

function addressOf(typed: string): string {
  const email = typed
    .slice(0, MAX_EMAIL_CHARS + 1)
    .trim()
    .toLowerCase()
  return email.length <= MAX_EMAIL_CHARS && z.email().safeParse(email).success ? email : NO_ADDRESS
}

const BUSY = {
  ok: false,
  reason: 'busy',
  message: 'Many people sign in at this moment. Wait a few seconds and try again.',
  retryAfterSec: GATE_RETRY_SEC,
} as const

export function tooMany(retryAfterSec: number): Extract<SignInResult, { reason: 'too-many' }> {
  return {
    ok: false,
    reason: 'too-many',
    message: `Too many tries. ${waitText(retryAfterSec)}`,
    retryAfterSec,
  }
}

export function waitText(waitSec: number): string {
  const time = waitSec < 60 ? `${waitSec} s` : waitSec < 5_400 ? `${Math.ceil(waitSec / 60)} min` : undefined
  return `Wait ${time ?? `${Math.ceil(waitSec / 3_600)} h`} and try again.`
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
export function withoutOrigin(headers: Headers, clientAddress?: string): Headers {
  const copy = new Headers(headers)
  // better-auth keeps it with the session. What the front says, never what the client wrote there.
  if (clientAddress === undefined) copy.delete('x-forwarded-for')
  else copy.set('x-forwarded-for', clientAddress)
  for (const name of ['origin', 'referer', 'content-length', 'content-type', 'sec-fetch-site'])
    copy.delete(name)
  return copy
}
