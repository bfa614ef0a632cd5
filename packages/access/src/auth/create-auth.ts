/**
 * better-auth over our own tables (https://www.better-auth.com/docs/reference/options): e-mail + password, sessions
 * in a cookie that is HttpOnly, SameSite=Lax and, when the public URL is https, Secure with the `__Host-` prefix.
 * Loaded at first need: beyond zod and Kysely it costs about 80 ms and 20 MB, which a server that only takes in
 * events should not pay.
 */
import { createHash } from 'node:crypto'
import type { Logger } from '@sonde/base'
import { type Records, SESSION_MAX_MS } from '@sonde/stores'
import type { BetterAuthOptions } from 'better-auth'
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters'
import { z } from 'zod'
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './create-user.ts'
import { createCookies } from './known-device.ts'
import { ACCOUNT_DISABLED, isDisabled } from './sign-in.ts'

/**
 * What the records know of a session: the hash of its token, never the token, so that nobody signs in with a copied
 * file. The same for the name of a first step that waits for its code. better-auth writes both as they are in the
 * cookie (https://www.better-auth.com/docs/concepts/session-management), so its adapter is wrapped: what goes in is
 * hashed, and who asks by the token gets it back, because it is put into the renewed cookie.
 *
 * 190 bits of chance need no slow hash.
 */
const SECRET_FIELDS: Readonly<Record<string, string>> = { session: 'token', verification: 'identifier' }

function withStoredSessions(inner: DBAdapter): DBAdapter {
  return { ...inner, ...wrapped(inner), transaction: (work) => inner.transaction((tx) => work(wrapped(tx))) }
}

function wrapped(inner: DBTransactionAdapter): DBTransactionAdapter {
  const adapter: Omit<DBTransactionAdapter, 'create' | 'findOne' | 'findMany' | 'update'> = {
    ...inner,
    count: (query) => inner.count(stored(query)),
    updateMany: (query) => inner.updateMany(storedUpdate(query)),
    delete: (query) => inner.delete(stored(query)),
    deleteMany: (query) => inner.deleteMany(stored(query)),
  }
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(query: {
      model: string
      data: Omit<T, 'id'>
      select?: string[] | undefined
      forceAllowId?: boolean | undefined
    }): Promise<R> {
      const field = SECRET_FIELDS[query.model]
      const data = query.data as Record<string, unknown>
      if (field === undefined) return inner.create<T, R>(query)
      const row = await inner.create<Record<string, unknown>, Record<string, unknown>>({
        ...query,
        data: { ...data, [field]: hash(data[field]) },
      })
      return { ...row, [field]: data[field] } as R
    },
    findOne: async <T>(query: { model: string; where: Where[] }) =>
      shown(query, await inner.findOne<T>(stored(query))),
    findMany: async <T>(query: { model: string; where?: Where[] | undefined }) =>
      (await inner.findMany<T>(stored(query))).map((row) => shown(query, row)),
    update: async <T>(query: { model: string; where: Where[]; update: Record<string, unknown> }) =>
      shown(query, await inner.update<T>(storedUpdate(query))),
  }
}

type Query = { readonly model: string; readonly where?: Where[] | undefined }

function stored<Q extends Query>(query: Q): Q {
  const field = SECRET_FIELDS[query.model]
  if (field === undefined || !query.where) return query
  const where = query.where.map((each) =>
    each.field === field
      ? { ...each, value: Array.isArray(each.value) ? each.value.map(hash) : hash(each.value) }
      : each,
  )
  return { ...query, where }
}

function storedUpdate<Q extends Query & { readonly update: Record<string, unknown> }>(query: Q): Q {
  const field = SECRET_FIELDS[query.model]
  const isSet = field !== undefined && query.update[field] !== undefined
  const update = isSet ? { ...query.update, [field]: hash(query.update[field]) } : query.update
  return { ...stored(query), update }
}

/** With the secret when it was asked by it; and a session whose longest time is over as an expired one. */
function shown<Row>({ model, where }: Query, row: Row): Row {
  const field = SECRET_FIELDS[model]
  if (field === undefined || row === null) return row
  const requested = where?.find((each) => each.field === field && typeof each.value === 'string')
  const copy: Row = requested ? { ...row, [field]: requested.value } : row
  if (model !== 'session') return copy
  const { createdAt } = row as { createdAt?: Date }
  const endsMs = (createdAt?.getTime() ?? 0) + SESSION_MAX_MS
  return endsMs > Date.now() ? copy : { ...copy, expiresAt: new Date(endsMs) }
}

function hash(secret: unknown): string {
  if (typeof secret !== 'string') throw new Error('a session without a token')
  return createHash('sha256').update(secret).digest('hex')
}

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
  const [
    { betterAuth },
    { APIError, createAuthEndpoint },
    { setSessionCookie },
    { twoFactor },
    { kyselyAdapter },
  ] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    import('better-auth/cookies'),
    import('better-auth/plugins/two-factor'),
    import('@better-auth/kysely-adapter'),
  ])
  const adapter = kyselyAdapter(options.records, { type: options.dialect ?? 'sqlite' })
  const cookies = createCookies(options.publicUrl)
  /** For doors of our own, which have made sure who it is: no request reaches it by itself. */
  const startSession = createAuthEndpoint(
    '/sonde/start-session',
    { method: 'POST', body: z.object({ userId: z.string() }) },
    async (ctx) => {
      const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
      if (!user) throw new APIError('UNAUTHORIZED')
      const session = await ctx.context.internalAdapter.createSession(user.id)
      await setSessionCookie(ctx, { session, user })
      return ctx.json({ user: { id: user.id, email: user.email }, sessionId: session.id })
    },
  )
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
    plugins: [twoFactor({ issuer: TWO_FACTOR_ISSUER }), { id: 'sonde', endpoints: { startSession } }],
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
