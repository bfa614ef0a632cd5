/** Everything about who somebody is and what they may see, built in one place. */
import type { Clock, Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { viewerFromToken } from './api-token.ts'
import { createAuthHandler } from './auth/auth-handler.ts'
import { lazyAuth } from './auth/create-auth.ts'
import { createUser, type NewUser, setPassword } from './auth/create-user.ts'
import { viewerFromCookies } from './auth/session-viewer.ts'
import { createSignInLimit } from './auth/sign-in-limit.ts'
import { type AccountAccess, createAccountAccess } from './auth/account.ts'
import { resetTwoFactor } from './auth/reset-two-factor.ts'
import { createSecondFactor, type SecondFactor } from './auth/second-factor.ts'
import { createSignIn, type SignIn, signOut } from './auth/sign-in.ts'
import { createOpenScope, type OpenScope } from './open-scope.ts'
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
  /** Where a request came from, as the front saw it. Without it sign-in is limited by e-mail address alone. */
  readonly clientAddress?: (headers: Headers) => string | undefined
}

export type Access = OpenScope &
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
    viewerFromToken(token: string): Promise<TokenViewer | undefined>
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
  const { records, clock, publicUrl } = options
  const trustedOrigins = options.trustedOrigins ?? []
  const auth = lazyAuth({ ...options, trustedOrigins })
  const limit = createSignInLimit(clock)
  const signIn = createSignIn(auth, limit)
  return {
    ...createOpenScope(records),
    ...createAccountAccess(auth, limit),
    secondFactor: createSecondFactor(auth, limit, clock),
    handler: createAuthHandler({
      auth,
      signIn,
      publicUrl,
      trustedOrigins,
      clientAddress: options.clientAddress ?? (() => undefined),
    }),
    signIn,
    signOut: (headers) => signOut(auth, headers),
    viewerFromCookies: (headers, onSetCookie) =>
      viewerFromCookies(auth, records, clock, headers, onSetCookie),
    publicUrl,
    viewerFromToken: (token) => viewerFromToken(records, clock, token),
    createUser: (user) => createUser(auth, user),
    setPassword: (userId, password) => setPassword(auth, userId, password),
    resetTwoFactor: (userId) => resetTwoFactor(auth, userId),
  }
}
