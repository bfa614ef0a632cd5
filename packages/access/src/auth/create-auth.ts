/**
 * better-auth over our own tables (https://www.better-auth.com/docs/reference/options): e-mail + password, sessions
 * in a cookie that is HttpOnly, SameSite=Lax and, when the public URL is https, Secure with the `__Host-` prefix.
 * Loaded at first need: beyond zod and Kysely it costs about 80 ms and 20 MB, which a server that only takes in
 * events should not pay.
 */
import type { Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { BetterAuthOptions } from 'better-auth'
import { createCookies } from './known-device.ts'
import { ACCOUNT_DISABLED, isDisabled } from './sign-in.ts'
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './create-user.ts'
import { withStoredSessions } from './stored-sessions.ts'

export type AuthOptions = {
  readonly records: Records
  /** Signs cookies; at least 32 characters. Changing it signs everybody out. */
  readonly secret: string
  /** The origin that browsers use, without a trailing slash. */
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  readonly logger: Logger
  /** `postgres` when the records are there. */
  readonly dialect?: 'sqlite' | 'postgres'
}

export const AUTH_PATH = '/api/auth'
const SESSION_SEC = 30 * 24 * 60 * 60
/** How exact "last seen" is, and how often a session in use is written and its cookie renewed. */
const SESSION_RENEW_SEC = 60 * 60
/** What authenticator apps show beside the code. */
const TWO_FACTOR_ISSUER = 'Sonde'

export type Auth = Awaited<ReturnType<typeof createAuth>>

async function createAuth(options: AuthOptions) {
  const [{ betterAuth }, { APIError }, { twoFactor }, { kyselyAdapter }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    import('better-auth/plugins/two-factor'),
    import('@better-auth/kysely-adapter'),
  ])
  const adapter = kyselyAdapter(options.records, { type: options.dialect ?? 'sqlite' })
  const cookies = createCookies(options.publicUrl)
  return betterAuth({
    secret: options.secret,
    baseURL: options.publicUrl,
    basePath: AUTH_PATH,
    trustedOrigins: [...options.trustedOrigins],
    database: (config: BetterAuthOptions) => withStoredSessions(adapter(config)),
    // People are made by an owner or the command line, never by whoever finds the address.
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
    },
    databaseHooks: {
      session: {
        create: {
          // Every door leads through here: password, second factor, a new session after a new password.
          async before({ userId }) {
            if (await isDisabled(options.records, userId)) throw new APIError('FORBIDDEN', ACCOUNT_DISABLED)
          },
        },
      },
    },
    plugins: [twoFactor({ issuer: TWO_FACTOR_ISSUER })],
    session: { expiresIn: SESSION_SEC, updateAge: SESSION_RENEW_SEC },
    advanced: {
      cookiePrefix: cookies.prefix,
      // Its own prefix is `__Secure-`, which a sibling host may plant; ours is in `cookiePrefix`.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookies.isSecure },
    },
    // Its router, which it limits, is not used; ours counts by account and network, over both doors: `try-limit.ts`.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its messages carry e-mail addresses as arguments; only the text goes to our log.
    logger: {
      log: (level, message) => {
        options.logger.debug({ source: 'better-auth', level }, message)
      },
    },
  })
}

/** The same instance each time; a failed load is tried again at the next call. */
export function lazyAuth(options: AuthOptions): () => Promise<Auth> {
  let loading: Promise<Auth> | undefined
  return () => {
    loading ??= createAuth(options).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
