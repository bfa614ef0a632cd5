/** Everything about who somebody is and what they may see, built in one place. */
import type { Clock, Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { refusalOfToken, viewerFromToken } from './api-token.ts'
import { createAuthHandler } from './auth/auth-handler.ts'
import { lazyAuth } from './auth/create-auth.ts'
import { createUser, type NewUser, setPassword } from './auth/create-user.ts'
import { viewerFromCookies } from './auth/session-viewer.ts'
import { createHashGate } from './auth/hash-gate.ts'
import { createCookies, createKnownDevices } from './auth/known-device.ts'
import { codeKeys, createTryLimit } from './auth/try-limit.ts'
import { type AccountAccess, createAccountAccess } from './auth/account.ts'
import { createSecurityEvents } from './auth/security-events.ts'
import {
  createSecondFactor,
  createUsedCodes,
  resetTwoFactor,
  type SecondFactor,
} from './auth/second-factor.ts'
import { createSignIn, type SignIn, signOut } from './auth/sign-in.ts'
import { createOpenGrants, type OpenGrants } from './open-grants.ts'
import type { TokenViewer, UserViewer } from './viewer.ts'

export type AccessOptions = {
  readonly records: Records
  /** Signs cookies; at least 32 characters. Changing it signs everybody out. */
  readonly secret: string
  /** The origin that browsers use: https makes the cookies Secure. */
  readonly publicUrl: string
  readonly clock: Clock
  readonly logger: Logger
  /** Other origins whose pages may make changes (development server). */
  readonly trustedOrigins?: readonly string[]
  /** Where a request came from, as the front saw it. Without it the sign-in limit takes all for one network. */
  readonly clientAddress?: (headers: Headers) => string | undefined
}

export type Access = OpenGrants &
  AccountAccess & {
    /** Answers `/api/auth/*`. */
    handler(request: Request): Promise<Response>
    readonly signIn: SignIn
    /** The second step, after `signIn` said `second-factor`. */
    readonly secondFactor: SecondFactor
    /** `Set-Cookie` values that end the session in the browser; it is ended on the server too. */
    signOut(headers: Headers): Promise<readonly string[]>
    /** `onSetCookie` gets the renewed session cookie, about once an hour; it belongs on the answer. */
    viewerFromCookies(
      headers: Headers,
      onSetCookie?: (setCookie: string) => void,
    ): Promise<UserViewer | undefined>
    /** `headers` tell where it is used from, which is kept for people to see. */
    viewerFromToken(token: string, headers?: Headers): Promise<TokenViewer | undefined>
    /** Why a token is not taken, for people. */
    refusalOfToken(token: string): Promise<string>
    /** Under which programs reach this Sonde: stands in tokens for builds. */
    readonly publicUrl: string
    /** Without a check of permissions: that is the command's (`@sonde/commands`). The same for `setPassword`. */
    createUser(user: NewUser): Promise<{ readonly userId: string }>
    setPassword(userId: string, password: string): Promise<void>
    /** For who lost phone and backup codes: from now on the password alone signs in. False: it was off. */
    resetTwoFactor(userId: string): Promise<boolean>
  }

/** Opens nothing and loads nothing heavy: better-auth comes with the first cookie, sign-in or new user. */
export function createAccess(options: AccessOptions): Access {
  const { records, clock, publicUrl, secret } = options
  const trustedOrigins = options.trustedOrigins ?? []
  const clientAddress = options.clientAddress ?? (() => undefined)
  const auth = lazyAuth({ ...options, trustedOrigins })
  const cookies = createCookies(publicUrl)
  const gate = createHashGate()
  const limit = createTryLimit(records, clock, secret)
  const devices = createKnownDevices(records, cookies, secret)
  const useCode = createUsedCodes(records, clock, secret)
  const events = createSecurityEvents({ records, clock, logger: options.logger, limit })
  const signIn = createSignIn({ auth, limit, gate, devices, events })
  const viewerOf = (headers: Headers, onSetCookie?: (setCookie: string) => void) =>
    viewerFromCookies(auth, records, cookies, clock, headers, clientAddress(headers), onSetCookie)
  const signOutAndRecord = async (headers: Headers) => {
    const viewer = await viewerOf(headers)
    if (viewer) {
      const { userId, email, address } = viewer
      await events.record({ event: 'sign_out', userId, email, address })
    }
    return signOut(auth, headers)
  }
  return {
    ...createOpenGrants(records),
    ...createAccountAccess({ auth, limit, gate, devices, useCode, clientAddress, events }),
    secondFactor: createSecondFactor({ auth, limit, devices, cookies, useCode, events }),
    handler: createAuthHandler({
      signIn,
      signOut: signOutAndRecord,
      publicUrl,
      trustedOrigins,
      clientAddress,
    }),
    signIn,
    signOut: signOutAndRecord,
    viewerFromCookies: viewerOf,
    publicUrl,
    viewerFromToken: (token, headers) =>
      viewerFromToken(records, clock, token, headers && options.clientAddress?.(headers)),
    refusalOfToken: (token) => refusalOfToken(records, clock, token),
    createUser: (user) => createUser(auth, gate, user),
    setPassword: async (userId, password) => {
      await setPassword(auth, gate, userId, password)
      await limit.forget(codeKeys(userId))
      await events.record({ event: 'password_set', userId, address: undefined })
    },
    resetTwoFactor: async (userId) => {
      await limit.forget(codeKeys(userId))
      const wasOn = await resetTwoFactor(auth, userId)
      if (wasOn) await events.record({ event: 'two_factor_reset', userId, address: undefined })
      return wasOn
    },
  }
}
