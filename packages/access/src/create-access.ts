/** Everything about who somebody is and what they may see, built in one place. */
import type { Clock, Logger } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import type { Records, Role } from '@sonde/stores'
import { type AccountMailbox, createAccountMailbox } from './account-mail.ts'
import { refusalOfToken, viewerFromToken } from './api-token.ts'
import { type AccountAccess, createAccountAccess } from './auth/account.ts'
import { createAuthHandler } from './auth/auth-handler.ts'
import { type Auth, lazyAuth } from './auth/create-auth.ts'
import {
  checkPassword,
  createUser,
  createUserWithoutPassword,
  type NewUser,
  setPassword,
} from './auth/create-user.ts'
import { createHashGate } from './auth/hash-gate.ts'
import { type Cookies, createCookies, createKnownDevices } from './auth/known-device.ts'
import { createNotices } from './auth/notices.ts'
import { createChallenges } from './auth/passkey-challenge.ts'
import { createPasskeys, type Passkeys } from './auth/passkeys.ts'
import { createSeal, type Seal } from './auth/reencrypt.ts'
import {
  createSecondFactor,
  createUsedCodes,
  resetTwoFactor,
  type SecondFactor,
} from './auth/second-factor.ts'
import { createSecurityEvents, type SecurityEvent } from './auth/security-events.ts'
import { createSignIn, type SignIn, signOut, tooMany } from './auth/sign-in.ts'
import { createStartSession, type StartSession } from './auth/start-session.ts'
import { codeKeys, createTryLimit, linkBounds, type LinkTry } from './auth/try-limit.ts'
import { deviceName } from './device-name.ts'
import { mcpResource } from './oauth/authorize-request.ts'
import { createOauth, type Oauth } from './oauth/create-oauth.ts'
import { createOpenGrants, type OpenGrants } from './open-grants.ts'
import { type ScimCaller, scimCaller } from './scim-token.ts'
import { createSecretUses, type SecretUse } from './secret-use.ts'
import { createSingleSignOn, type SingleSignOn } from './sso/single-sign-on.ts'
import type { ClosedMembership, Membership, TokenViewer, UserViewer } from './viewer.ts'

// From a browser's cookies to a viewer.

/** `lastSeenMs` is for people; a write per request would be waste. */
const LAST_SEEN_STEP_MS = 60 * 60_000

/**
 * Undefined without a living session. A request without our cookie costs nothing; one with it, two indexed reads,
 * and one write an hour.
 * Roles are read each time: who was removed from an organization is out at the next request.
 * `onSetCookie` gets the renewed cookie about once an hour, so that a session ends 30 days after its last use. Who
 * cannot pass a cookie on leaves it out, and the session is left for the next request that can.
 */
async function viewerFromCookies(
  auth: () => Promise<Auth>,
  records: Records,
  cookies: Cookies,
  clock: Clock,
  headers: Headers,
  address: string | undefined,
  onSetCookie?: (setCookie: string) => void,
): Promise<UserViewer | undefined> {
  if (cookies.read('session_token', headers) === undefined) return undefined
  const { api } = await auth()
  const asked = {
    headers,
    query: { disableRefresh: onSetCookie === undefined },
    returnHeaders: true,
  } as const
  const { response: found, headers: answered } = await api.getSession(asked).catch(async (error: unknown) => {
    // better-auth keeps to itself what failed. Records that do not answer say so.
    await records.selectFrom('setting').select('name').limit(1).execute()
    throw error
  })
  if (!found) return undefined
  for (const setCookie of answered.getSetCookie()) onSetCookie?.(setCookie)
  const rows = await records
    .selectFrom('user')
    .leftJoin('member', 'member.user_id', 'user.id')
    .leftJoin('organization', 'organization.id', 'member.org_id')
    .leftJoin('sso_connection', 'sso_connection.org_id', 'member.org_id')
    .leftJoin('sso_session', (join) => join.on('sso_session.session_id', '=', found.session.id))
    .select([
      'sso_session.org_id as ssoOrgId',
      'sso_session.until_ms as ssoUntilMs',
      'sso_connection.is_on as isSsoOn',
      'sso_connection.is_required as isSsoRequired',
      'user.isOperator',
      'user.disabledMs',
      'user.lastSeenMs',
      'user.twoFactorEnabled',
      'user.timeZone',
      'organization.requires_second_factor',
      'organization.id',
      'organization.slug',
      'organization.name',
      'member.role',
    ])
    .where('user.id', '=', found.user.id)
    .orderBy('organization.slug')
    .execute()
  const [person] = rows
  if (!person || person.disabledMs !== null) return undefined
  const nowMs = clock.nowMs()
  if (person.ssoUntilMs !== null && person.ssoUntilMs <= nowMs) return undefined
  const { ssoOrgId } = person
  const memberships: Membership[] = []
  const closed: ClosedMembership[] = []
  for (const row of rows) {
    const { id: orgId, slug: orgSlug, name: orgName, role } = row
    if (orgId === null || orgSlug === null || orgName === null || role === null) continue
    const membership = { orgId, orgSlug, orgName, role }
    const closedBy = whatCloses(row, orgId, role)
    if (closedBy === undefined) memberships.push(membership)
    else closed.push({ ...membership, closedBy })
  }
  if ((person.lastSeenMs ?? 0) < nowMs - LAST_SEEN_STEP_MS)
    await records.updateTable('user').set({ lastSeenMs: nowMs }).where('id', '=', found.user.id).execute()
  return {
    kind: 'user',
    userId: found.user.id,
    email: found.user.email,
    name: found.user.name,
    ...(person.timeZone !== '' && { timeZone: person.timeZone }),
    sessionId: found.session.id,
    ...(address === undefined ? {} : { address }),
    // What an organization's provider says is worth as much as that organization.
    isOperator: person.isOperator === 1 && ssoOrgId === null,
    ...(ssoOrgId !== null && { ssoOrgId }),
    memberships,
    ...(closed.length > 0 && { closedMemberships: closed }),
  }
}

type SessionRow = {
  /** The organization whose provider began the session. */
  readonly ssoOrgId: number | null
  readonly isSsoOn: number | null
  readonly isSsoRequired: number | null
  readonly twoFactorEnabled: number | null
  readonly requires_second_factor: number | null
}

/** Why this session does not open an organization of its person. */
function whatCloses(row: SessionRow, orgId: number, role: Role): ClosedMembership['closedBy'] | undefined {
  // The organization's own provider asks for what the organization wants.
  if (row.ssoOrgId !== null) return row.ssoOrgId === orgId ? undefined : 'sso'
  // Owners get in with a password when the provider is away.
  if (row.isSsoOn === 1 && row.isSsoRequired === 1 && role !== 'owner') return 'sso'
  return row.requires_second_factor === 1 && row.twoFactorEnabled !== 1 ? 'second-factor' : undefined
}

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
  /** Whether mail is set up. */
  readonly hasMail?: boolean
  /** Asks sign-in providers; without it nobody signs in by one. */
  readonly outgoing?: Pick<Outgoing, 'request'>
}

export type Access = OpenGrants &
  AccountAccess & {
    /** With the installation's key. */
    readonly seal: Seal
    /** Mail about accounts. */
    readonly mailbox: AccountMailbox
    /** Into log, audit and the person's mail, of what commands change about an account. Never rejects. */
    recordEvent(event: SecurityEvent): Promise<void>
    /** Signing in by the provider of an organization. */
    readonly sso: SingleSignOn
    /** Answers `/api/auth/*`. */
    handler(request: Request): Promise<Response>
    readonly signIn: SignIn
    /**
     * Counts what somebody tries who is not signed in: of one subject, and from one network. Undefined: go on; otherwise
     * words that say how long to wait.
     */
    takeTry(name: LinkTry, key: string, address: string | undefined): Promise<string | undefined>
    /** For who was recognized by other means. */
    readonly startSession: StartSession
    /** The second step, after `signIn` said `second-factor`. */
    readonly secondFactor: SecondFactor
    readonly passkeys: Passkeys
    /** `Set-Cookie` values that end the session in the browser; it is ended on the server too. */
    signOut(headers: Headers): Promise<readonly string[]>
    /** `onSetCookie` gets the renewed session cookie, about once an hour; it belongs on the answer. */
    viewerFromCookies(
      headers: Headers,
      onSetCookie?: (setCookie: string) => void,
    ): Promise<UserViewer | undefined>
    /**
     * `headers` tell where it is used from, which is kept for people to see. `at`: what it opens; the tokens of some connected
     * applications open the MCP server alone.
     */
    viewerFromToken(token: string, headers?: Headers, at?: 'api' | 'mcp'): Promise<TokenViewer | undefined>
    /** Signing in of applications. */
    readonly oauth: Oauth
    /** That a secret was used which is no token: an entry of the audit, or none. Never rejects. */
    noteUse(use: SecretUse): Promise<void>
    /** Undefined: no living SCIM token of this organization. `request` is kept for people to see. */
    scimCaller(
      token: string,
      asked: { readonly orgSlug: string; readonly request: string; readonly headers: Headers },
    ): Promise<ScimCaller | undefined>
    /** Why a token is not taken, for people. */
    refusalOfToken(token: string): Promise<string>
    /** Under which programs reach this Sonde: stands in tokens for builds. */
    readonly publicUrl: string
    /** Without a check of permissions: that is the command's (`@sonde/commands`). The same for `setPassword`. */
    createUser(user: NewUser): Promise<{ readonly userId: string }>
    /** Throws `SondeError` (`invalid`, subject `password`) for one that is not allowed. */
    checkNewPassword(password: string): Promise<void>
    /** What a person calls a browser, from its own words. */
    deviceName(userAgent: string): string
    /** `event`: who set it, for log and mail; the operator unless told. */
    setPassword(userId: string, password: string, event?: SecurityEvent): Promise<void>
    /** Who signs in by a provider, until they set a password. Throws `SondeError` (`conflict`). */
    createUserWithoutPassword(user: Omit<NewUser, 'password'>): Promise<{ readonly userId: string }>
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
  const uses = createSecretUses({ records, clock, logger: options.logger, limit })
  const devices = createKnownDevices(records, cookies, secret)
  const useCode = createUsedCodes(records, clock, secret)
  const seal = createSeal(secret)
  const mailbox = createAccountMailbox(options.hasMail ?? false, seal, clock)
  const notices = createNotices({ records, clock, limit, mailbox, publicUrl, secret })
  const events = createSecurityEvents({ records, clock, logger: options.logger, limit, notices })
  const signIn = createSignIn({ auth, limit, gate, devices, events })
  const startSession = createStartSession({ auth, devices, events })
  const secondFactor = createSecondFactor({ auth, limit, devices, cookies, useCode, events, records })
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
    ...createAccountAccess({ auth, limit, gate, devices, useCode, clientAddress, events, records }),
    seal,
    mailbox,
    recordEvent: (event) => events.record(event),
    async takeTry(name, key, address) {
      const taken = await limit.take(linkBounds(name, key, address))
      return 'retryAfterSec' in taken ? tooMany(taken.retryAfterSec).message : undefined
    },
    startSession,
    sso: createSingleSignOn({
      records,
      clock,
      seal,
      cookies,
      secret,
      publicUrl,
      startSession,
      events,
      limit,
      outgoing: options.outgoing,
    }),
    secondFactor,
    passkeys: createPasskeys({
      records,
      clock,
      publicUrl,
      trustedOrigins,
      challenges: createChallenges(records, clock, secret),
      limit,
      events,
      startSession,
      pendingUserId: secondFactor.pendingUserId,
      endFirstStep: secondFactor.endFirstStep,
    }),
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
    viewerFromToken: (token, headers, at = 'api') =>
      viewerFromToken(
        records,
        clock,
        uses,
        token,
        headers && options.clientAddress?.(headers),
        at === 'mcp' ? mcpResource(publicUrl) : undefined,
      ),
    oauth: createOauth({ records, clock, secret, publicUrl }),
    noteUse: (use) => uses.note(use),
    scimCaller: (token, { headers, ...asked }) =>
      scimCaller(records, clock, uses, token, { ...asked, address: clientAddress(headers) }),
    refusalOfToken: (token) => refusalOfToken(records, clock, token),
    createUser: (user) => createUser(auth, gate, user),
    checkNewPassword: (password) => checkPassword(password, 'set a password'),
    deviceName: (userAgent) => deviceName(userAgent) ?? 'unknown',
    createUserWithoutPassword: (user) => createUserWithoutPassword(auth, user),
    setPassword: async (userId, password, event) => {
      await setPassword(auth, gate, userId, password)
      await limit.forget(codeKeys(userId))
      await events.record(event ?? { event: 'password_set', userId, address: undefined })
    },
    resetTwoFactor: async (userId) => {
      await limit.forget(codeKeys(userId))
      const wasOn = await resetTwoFactor(records, userId)
      if (wasOn) await events.record({ event: 'two_factor_reset', userId, address: undefined })
      return wasOn
    },
  }
}
