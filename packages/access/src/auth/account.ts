/**
 * What signed-in people change about how they sign in. All of it asks for the current password again, counted by the
 * sign-in limit: a browser left open must not be enough. Without audit: that is the command's (`@sonde/commands`).
 */
import { SondeError, UnavailableError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { UserViewer } from '../viewer.ts'
import type { Auth } from './create-auth.ts'
import { checkPassword, MAX_PASSWORD_CHARS } from './create-user.ts'
import { GATE_RETRY_SEC, type HashGate } from './hash-gate.ts'
import type { KnownDevices } from './known-device.ts'
import { setAskedFor } from './passkeys.ts'
import { isCodeOn, type UseCode } from './second-factor.ts'
import type { SecurityEventName, SecurityEvents } from './security-events.ts'
import { waitText, withoutOrigin } from './sign-in.ts'
import { ownSecretBounds, type TryLimit } from './try-limit.ts'

/** `setCookies` belong on the answer: the session was replaced. */
export type Renewed = { readonly setCookies: readonly string[] }

/** The codes are shown once: with each of them one sign-in works without the app. */
export type ConfirmedTwoFactor = Renewed & { readonly backupCodes: readonly string[] }

export type TwoFactorState =
  | { readonly isOn: false }
  | { readonly isOn: true; readonly backupCodesLeft: number }

/** Shown once. Not in force before `confirmTwoFactor`. */
export type NewTwoFactor = {
  /** `otpauth://totp/Sonde:ada@acme.test?secret=…`: what a QR code holds. */
  readonly otpauthUri: string
  /** Base32, for typing. */
  readonly secret: string
  /** The same in groups of four. */
  readonly secretGroups: readonly string[]
  readonly backupCodes: readonly string[]
}

/**
 * Each throws `SondeError`: `forbidden` with subject `currentPassword` or `code` when that is wrong, `unavailable`
 * (`UnavailableError`, with the seconds to wait) after too many wrong ones. `headers` are the request's own.
 */
export type AccountAccess = {
  /** For what is done with more than a session: making a token. */
  checkCurrentPassword(viewer: UserViewer, currentPassword: string): Promise<void>
  /** Ends every other session of that person. `invalid` for a password that is not allowed. */
  changePassword(
    viewer: UserViewer,
    passwords: { readonly current: string; readonly next: string },
    headers: Headers,
  ): Promise<Renewed>
  /** A secret that was never confirmed is replaced; one that is in force is a `conflict`. */
  enableTwoFactor(viewer: UserViewer, currentPassword: string, headers: Headers): Promise<NewTwoFactor>
  /** The first code of the app puts it in force. */
  confirmTwoFactor(viewer: UserViewer, code: string, headers: Headers): Promise<ConfirmedTwoFactor>
  disableTwoFactor(viewer: UserViewer, currentPassword: string, headers: Headers): Promise<Renewed>
  /** The old ones stop working. `conflict` when two-factor sign-in is off. */
  newBackupCodes(viewer: UserViewer, currentPassword: string, headers: Headers): Promise<readonly string[]>
  /** Asks for nothing and reveals nothing: for the account's page. */
  twoFactorState(viewer: UserViewer): Promise<TwoFactorState>
}

export type AccountDeps = {
  readonly auth: () => Promise<Auth>
  readonly limit: TryLimit
  readonly gate: HashGate
  readonly devices: KnownDevices
  readonly useCode: UseCode
  readonly clientAddress: (headers: Headers) => string | undefined
  readonly events: SecurityEvents
  readonly records: Records
}

export function createAccountAccess(deps: AccountDeps): AccountAccess {
  const { auth, limit, gate, devices, useCode, clientAddress, events, records } = deps
  const record = (
    event: SecurityEventName,
    viewer: UserViewer,
    headers: Headers | undefined,
    reason?: string,
  ) => {
    const { userId, email } = viewer
    const about = {
      userId,
      email,
      address: headers ? clientAddress(headers) : viewer.address,
      userAgent: headers?.get('user-agent')?.slice(0, 500),
    }
    return events.record({ event, ...about, ...(reason === undefined ? {} : { reason }) })
  }
  /** Counts the try, takes it back when it was right. */
  const limited = async (
    viewer: UserViewer,
    secret: 'currentPassword' | 'code',
    /** Left out: from where the viewer came is what is known. */
    headers: Headers | undefined,
    attempt: () => Promise<Response>,
  ): Promise<Response> => {
    const operation = `check the ${secret === 'code' ? 'code' : 'current password'}`
    const later = (message: string, retryAfterSec: number) =>
      new UnavailableError(message, { operation, subject: secret, retryAfterSec })
    const leave = await gate.enter({ isKnown: true })
    if (!leave) throw later('many people sign in at this moment; try again soon', GATE_RETRY_SEC)
    try {
      const bounds = ownSecretBounds(viewer.userId, secret)
      const taken = await limit.take(bounds)
      if ('retryAfterSec' in taken) {
        throw later(`too many tries: ${waitText(taken.retryAfterSec)}`, taken.retryAfterSec)
      }
      const response = await attempt()
      if (response.status >= 500) throw new Error(`better-auth answered ${response.status}: ${operation}`)
      if (!response.ok) {
        await record('own_secret_failed', viewer, headers, secret)
        if (taken.filled.length > 0) await record('own_secret_locked', viewer, headers, secret)
        const message = secret === 'code' ? 'this code is wrong' : 'this is not your current password'
        throw new SondeError('forbidden', message, { operation, subject: secret })
      }
      await limit.succeeded(bounds)
      return response
    } finally {
      leave()
    }
  }
  const call = <Body extends object>(headers: Headers, body: Body) =>
    ({ body, headers: withoutOrigin(headers, clientAddress(headers)), asResponse: true }) as const
  const cut = (password: string): string => password.slice(0, MAX_PASSWORD_CHARS + 1)
  const isEnabled = (viewer: UserViewer): Promise<boolean> => isCodeOn(records, viewer.userId)
  const storedBackupCodes = async ({ userId }: UserViewer): Promise<readonly string[]> => {
    const { api } = await auth()
    return (await api.viewBackupCodes({ body: { userId } })).backupCodes
  }

  return {
    async checkCurrentPassword(viewer, currentPassword) {
      await limited(viewer, 'currentPassword', undefined, async () => {
        const { internalAdapter, password } = await (await auth()).$context
        const accounts = await internalAdapter.findAccounts(viewer.userId)
        const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password
        const isRight =
          typeof hash === 'string' && (await password.verify({ hash, password: cut(currentPassword) }))
        return new Response(null, { status: isRight ? 200 : 401 })
      })
    },
    async changePassword(viewer, { current, next }, headers) {
      await checkPassword(next, 'change the password')
      const { api } = await auth()
      const body = { currentPassword: cut(current), newPassword: next, revokeOtherSessions: true }
      const response = await limited(viewer, 'currentPassword', headers, () =>
        api.changePassword(call(headers, body)),
      )
      await record('password_changed', viewer, headers)
      // The old password made every browser a known one: only this one stays so.
      const device = await devices.remember(viewer.userId)
      return { setCookies: [...response.headers.getSetCookie(), ...device] }
    },
    async enableTwoFactor(viewer, currentPassword, headers) {
      if (await isEnabled(viewer)) throw conflict('two-factor sign-in is on already')
      const { api } = await auth()
      const body = { password: cut(currentPassword) }
      const response = await limited(viewer, 'currentPassword', headers, () =>
        api.enableTwoFactor(call(headers, body)),
      )
      const made = (await response.json()) as { totpURI: string; backupCodes: string[] }
      const secret = new URL(made.totpURI).searchParams.get('secret') ?? ''
      const secretGroups = secret.match(/.{1,4}/g) ?? []
      return { otpauthUri: made.totpURI, secret, secretGroups, backupCodes: made.backupCodes }
    },
    async confirmTwoFactor(viewer, code, headers) {
      const { api } = await auth()
      const typed = code.replaceAll(/\s/g, '').slice(0, 64)
      const response = await limited(viewer, 'code', headers, async () => {
        const answer = await api.verifyTOTP(call(headers, { code: typed }))
        // Whoever saw it being typed here must not sign in with it.
        if (answer.ok) await useCode(viewer.userId, typed)
        return answer
      })
      await record('two_factor_on', viewer, headers)
      return { setCookies: response.headers.getSetCookie(), backupCodes: await storedBackupCodes(viewer) }
    },
    async disableTwoFactor(viewer, currentPassword, headers) {
      const { api } = await auth()
      const body = { password: cut(currentPassword) }
      const response = await limited(viewer, 'currentPassword', headers, () =>
        api.disableTwoFactor(call(headers, body)),
      )
      // A passkey is asked for as before.
      await setAskedFor(records, viewer.userId)
      await record('two_factor_off', viewer, headers)
      return { setCookies: response.headers.getSetCookie() }
    },
    async newBackupCodes(viewer, currentPassword, headers) {
      if (!(await isEnabled(viewer))) throw conflict('two-factor sign-in is off')
      const { api } = await auth()
      const body = { password: cut(currentPassword) }
      const response = await limited(viewer, 'currentPassword', headers, () =>
        api.generateBackupCodes(call(headers, body)),
      )
      await record('backup_codes_renewed', viewer, headers)
      return ((await response.json()) as { backupCodes: string[] }).backupCodes
    },
    async twoFactorState(viewer) {
      if (!(await isEnabled(viewer))) return { isOn: false }
      return { isOn: true, backupCodesLeft: (await storedBackupCodes(viewer)).length }
    },
  }
}

const conflict = (message: string): SondeError =>
  new SondeError('conflict', message, { operation: 'change two-factor sign-in' })
