/** The second step of a sign-in: a code of the authenticator app, or one of the backup codes. */
import { createHmac } from 'node:crypto'
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import type { Auth } from './create-auth.ts'
import type { Cookies, KnownDevices } from './known-device.ts'
import type { SecurityEvents } from './security-events.ts'
import { browserOf, DISABLED, saysDisabled, type SignInResult, tooMany, withoutOrigin } from './sign-in.ts'
import { codeBounds, networkOf, type TryLimit } from './try-limit.ts'

// A code that somebody saw over a shoulder must not work a second time (RFC 6238, section 5.2), neither in another
// process nor after a restart: so the used ones lie in the records for as long as they would be taken.

/** A code is taken 30 s before to 30 s after its own half minute. */
const CODE_LIVES_MS = 90_000

/** Marks the code as used. False: it was used before. Few rows: the limit counts each try before this is asked. */
export type UseCode = (userId: string, code: string) => Promise<boolean>

export function createUsedCodes(records: Records, clock: Clock, secret: string): UseCode {
  return (userId, code) =>
    writeTransaction(records, async (tx) => {
      const nowMs = clock.nowMs()
      await tx.deleteFrom('used_code').where('until_ms', '<=', nowMs).execute()
      const hash = createHmac('sha256', secret).update(`code ${userId} ${code}`).digest('base64url')
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('used_code')
        .values({ user_id: userId, code_hash: hash, until_ms: nowMs + CODE_LIVES_MS })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })
}

export type SecondFactorInput = {
  /** Six digits, or a backup code. Spaces are ignored. */
  readonly code: string
  /** With the cookies that the first step set. */
  readonly headers: Headers
  readonly clientAddress?: string
}
export type SecondFactorResult =
  | Exclude<SignInResult, { reason: 'second-factor' | 'busy' }>
  /** The first step is more than ten minutes ago, or was never made: the password is asked for again. */
  | { readonly ok: false; readonly reason: 'expired'; readonly message: string }

export type SecondFactor = {
  /** Never throws for what a person typed. */
  verify(input: SecondFactorInput): Promise<SecondFactorResult>
  /** Whose first step these cookies are of; undefined: of none that can still be completed. */
  pendingUserId(headers: Headers): Promise<string | undefined>
  /** Whether a code can complete it: passkeys alone have none. */
  hasCode(headers: Headers): Promise<boolean>
  /** For who completed it otherwise: the `Set-Cookie` values that clear it. */
  endFirstStep(headers: Headers): Promise<readonly string[]>
}

const WRONG = { ok: false, reason: 'wrong', message: 'This code is wrong or was used already.' } as const
const EXPIRED = {
  ok: false,
  reason: 'expired',
  message: 'The sign-in took too long. Enter your password again.',
} as const
export type SecondFactorDeps = {
  readonly auth: () => Promise<Auth>
  readonly limit: TryLimit
  readonly devices: KnownDevices
  readonly cookies: Cookies
  readonly useCode: UseCode
  readonly events: SecurityEvents
  readonly records: Records
}

/** Of an app whose first code was entered. */
export async function isCodeOn(records: Records, userId: string): Promise<boolean> {
  const row = await records
    .selectFrom('twoFactor')
    .innerJoin('user', 'user.id', 'twoFactor.userId')
    .select(['twoFactor.verified', 'user.twoFactorEnabled'])
    .where('user.id', '=', userId)
    .executeTakeFirst()
  return row?.twoFactorEnabled === 1 && row.verified !== 0
}

export function createSecondFactor(deps: SecondFactorDeps): SecondFactor {
  const { auth, limit, devices, cookies, useCode, events, records } = deps
  const pendingUserId = async (headers: Headers): Promise<string | undefined> => {
    const cookie = cookies.read('two_factor', headers)
    if (!cookie) return undefined
    const { internalAdapter } = await (await auth()).$context
    return userOfFirstStep(internalAdapter, cookie)
  }
  const verify: SecondFactor['verify'] = async ({ code: typed, headers, clientAddress }) => {
    const code = withDash(typed.replaceAll(/\s/g, '').slice(0, 64))
    const userId = await pendingUserId(headers)
    if (userId === undefined) return EXPIRED
    const device = await devices.idOf(headers, { userId })
    const bounds = codeBounds(userId, { network: networkOf(clientAddress), device })
    const taken = await limit.take(bounds)
    if ('retryAfterSec' in taken) return tooMany(taken.retryAfterSec)
    const { api } = await auth()
    const wrong = async (reason: string) => {
      const facts = { userId, address: clientAddress }
      await events.record({ event: 'second_factor_failed', ...facts, reason })
      for (const name of taken.filled)
        await events.record({ event: 'second_factor_locked', ...facts, reason: name })
      return WRONG
    }
    const isTotp = /^\d{6}$/.test(code)
    if (isTotp && !(await useCode(userId, code))) return wrong('used-code')
    const call = { body: { code }, headers: onlyFirstStep(cookies, headers), asResponse: true } as const
    const response = isTotp ? await api.verifyTOTP(call) : await api.verifyBackupCode(call)
    if (await saysDisabled(response)) return { ok: false, reason: 'wrong', message: DISABLED }
    if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to a second factor`)
    if (!response.ok) return wrong('wrong-code')
    const { user } = (await response.json()) as { user: { id: string; email: string } }
    if (user.id !== userId) throw new Error('better-auth checked the second factor of somebody else')
    await limit.succeeded(bounds)
    const reason = isTotp ? 'code' : 'backup-code'
    const about = { userId, email: user.email, address: clientAddress }
    await events.record({ event: 'sign_in', ...about, reason, ...browserOf(headers, device) })
    const setCookies = [...response.headers.getSetCookie(), ...(await devices.remember(userId))]
    return { ok: true, userId, setCookies }
  }
  return {
    verify,
    pendingUserId,
    async hasCode(headers) {
      const userId = await pendingUserId(headers)
      return userId !== undefined && isCodeOn(records, userId)
    },
    async endFirstStep(headers) {
      const identifier = identifierOf(cookies.read('two_factor', headers) ?? '')
      const { internalAdapter } = await (await auth()).$context
      if (identifier) await internalAdapter.deleteVerificationByIdentifier(identifier)
      return [cookies.write('two_factor', '', 0)]
    },
  }
}

/**
 * Without the other cookies: better-auth would take a session before the first step, and check the code of that
 * person. Somebody's own right code would then forget the wrong ones that they tried for another.
 */
function onlyFirstStep(cookies: Cookies, headers: Headers): Headers {
  const copy = withoutOrigin(headers)
  copy.set('cookie', `${cookies.prefix}.two_factor=${cookies.read('two_factor', headers) ?? ''}`)
  return copy
}

/** Backup codes are shown as `abcde-FGHIJ`; the dash is for reading. */
const withDash = (code: string): string => code.replace(/^([a-z0-9]{5})([a-z0-9]{5})$/i, '$1-$2')

const identifierOf = (cookie: string): string => cookie.slice(0, cookie.indexOf('.'))

type Verifications = {
  findVerificationValue(identifier: string): Promise<{ value: string; expiresAt: Date } | null>
}

/** better-auth checks the cookie's signature itself; here only its random name is looked up. */
async function userOfFirstStep(adapter: Verifications, cookie: string): Promise<string | undefined> {
  const identifier = identifierOf(cookie)
  if (!identifier) return undefined
  const found = await adapter.findVerificationValue(identifier)
  return found && found.expiresAt.getTime() > Date.now() ? found.value : undefined
}

/**
 * Removes secret and backup codes, also those that were never confirmed, and passkeys. Sessions go on: who has one is in
 * already.
 */
export async function resetTwoFactor(records: Records, userId: string): Promise<boolean> {
  return writeTransaction(records, async (tx) => {
    const user = await tx
      .selectFrom('user')
      .select('twoFactorEnabled')
      .where('id', '=', userId)
      .executeTakeFirst()
    await tx.updateTable('user').set({ twoFactorEnabled: 0 }).where('id', '=', userId).execute()
    await tx.deleteFrom('twoFactor').where('userId', '=', userId).execute()
    await tx.deleteFrom('passkey').where('user_id', '=', userId).execute()
    return user?.twoFactorEnabled === 1
  })
}
