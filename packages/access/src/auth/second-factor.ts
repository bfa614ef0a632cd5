/** The second step of a sign-in: a code of the authenticator app, or one of the backup codes. */
import type { Clock } from '@sonde/base'
import type { Auth } from './create-auth.ts'
import type { SignInLimit } from './sign-in-limit.ts'
import { type SignInResult, tooMany, withoutOrigin } from './sign-in.ts'

export type SecondFactorInput = {
  /** Six digits, or a backup code. Spaces are ignored. */
  readonly code: string
  /** With the cookies that the first step set. */
  readonly headers: Headers
  readonly clientAddress?: string
}
export type SecondFactorResult =
  | Exclude<SignInResult, { reason: 'second-factor' }>
  /** The first step is more than ten minutes ago, or was never made: the password is asked for again. */
  | { readonly ok: false; readonly reason: 'expired'; readonly message: string }

export type SecondFactor = {
  /** Never throws for what a person typed. */
  verify(input: SecondFactorInput): Promise<SecondFactorResult>
  /** Whether these cookies are of a first step that a code can still complete. */
  isPending(headers: Headers): Promise<boolean>
}

const COOKIE = /(?:^|;\s*)(?:__Secure-)?sonde\.two_factor=([^;]+)/
const WRONG = { ok: false, reason: 'wrong', message: 'This code is wrong or was used already.' } as const
const EXPIRED = {
  ok: false,
  reason: 'expired',
  message: 'The sign-in took too long. Enter your password again.',
} as const
/** A code is taken 30 s before to 30 s after its own half minute. */
const CODE_LIVES_MS = 90_000

export function createSecondFactor(
  auth: () => Promise<Auth>,
  limit: SignInLimit,
  clock: Clock,
): SecondFactor {
  const wasUsed = createUsedCodes(clock)
  const pendingUserId = async (headers: Headers): Promise<string | undefined> => {
    if (!COOKIE.test(headers.get('cookie') ?? '')) return undefined
    const { internalAdapter } = await (await auth()).$context
    return userOfFirstStep(internalAdapter, headers)
  }
  const verify: SecondFactor['verify'] = async ({ code: typed, headers, clientAddress }) => {
    const code = withDash(typed.replaceAll(/\s/g, '').slice(0, 64))
    const userId = await pendingUserId(headers)
    if (userId === undefined) return EXPIRED
    // By person, not by cookie: whoever has the password gets as many cookies as they like.
    const subject = `second factor of ${userId}`
    const retryAfterSec = limit.waitSec(subject, clientAddress)
    if (retryAfterSec !== undefined) return tooMany(retryAfterSec)
    limit.failed(subject, clientAddress)
    const { api } = await auth()
    const isTotp = /^\d{6}$/.test(code)
    if (isTotp && wasUsed(userId, code)) return WRONG
    const call = { body: { code }, headers: onlyFirstStep(headers), asResponse: true } as const
    const response = isTotp ? await api.verifyTOTP(call) : await api.verifyBackupCode(call)
    if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to a second factor`)
    if (!response.ok) return WRONG
    const { user } = (await response.json()) as { user: { id: string } }
    if (user.id !== userId) throw new Error('better-auth checked the second factor of somebody else')
    limit.succeeded(subject)
    return { ok: true, userId, setCookies: response.headers.getSetCookie() }
  }
  return { verify, isPending: async (headers) => (await pendingUserId(headers)) !== undefined }
}

/**
 * Without the other cookies: better-auth would take a session before the first step, and check the code of that
 * person. Somebody's own right code would then forget the wrong ones that they tried for another.
 */
function onlyFirstStep(headers: Headers): Headers {
  const copy = withoutOrigin(headers)
  copy.set('cookie', COOKIE.exec(headers.get('cookie') ?? '')?.[0].replace(/^;\s*/, '') ?? '')
  return copy
}

/** Backup codes are shown as `abcde-FGHIJ`; the dash is for reading. */
const withDash = (code: string): string => code.replace(/^([a-z0-9]{5})([a-z0-9]{5})$/i, '$1-$2')

type Verifications = {
  findVerificationValue(identifier: string): Promise<{ value: string; expiresAt: Date } | null>
}

/** better-auth checks the cookie's signature itself; here only its random name is looked up. */
async function userOfFirstStep(adapter: Verifications, headers: Headers): Promise<string | undefined> {
  const cookie = COOKIE.exec(headers.get('cookie') ?? '')?.[1]
  const identifier = cookie?.slice(0, cookie.indexOf('.'))
  if (!identifier) return undefined
  const found = await adapter.findVerificationValue(identifier)
  return found && found.expiresAt.getTime() > Date.now() ? found.value : undefined
}

/**
 * A code that somebody saw over a shoulder must not work a second time (RFC 6238, section 5.2). In memory: a restart
 * takes longer than a person needs to type it again.
 */
function createUsedCodes(clock: Clock): (userId: string, code: string) => boolean {
  const used = new Map<string, number>()
  return (userId, code) => {
    const nowMs = clock.nowMs()
    for (const [key, untilMs] of used) {
      if (untilMs > nowMs) break
      used.delete(key)
    }
    const key = `${userId} ${code}`
    if (used.has(key)) return true
    used.set(key, nowMs + CODE_LIVES_MS)
    return false
  }
}
