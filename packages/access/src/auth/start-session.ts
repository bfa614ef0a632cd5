/** Signs somebody in who was recognized by other means than a password: an invitation that was taken, a passkey, a new password. */
import { SondeError } from '@sonde/base'
import type { Auth } from './create-auth.ts'
import type { KnownDevices } from './known-device.ts'
import type { SecurityEvents } from './security-events.ts'
import { browserOf, DISABLED, saysDisabled, withoutOrigin } from './sign-in.ts'

export type StartSessionInput = {
  readonly userId: string
  /** The request's own. */
  readonly headers: Headers
  readonly clientAddress?: string | undefined
  /** How it was made sure who it is; literal words, for log and audit. */
  readonly reason: string
}

/** The caller has made sure who it is. Throws `SondeError` (`forbidden`: the account is disabled). */
export type StartSession = (input: StartSessionInput) => Promise<{
  readonly setCookies: readonly string[]
  readonly sessionId: string
}>

export type StartSessionDeps = {
  readonly auth: () => Promise<Auth>
  readonly devices: KnownDevices
  readonly events: SecurityEvents
}

export function createStartSession({ auth, devices, events }: StartSessionDeps): StartSession {
  return async ({ userId, headers, clientAddress, reason }) => {
    const { api } = await auth()
    const response = await api.startSession({
      body: { userId },
      headers: withoutOrigin(headers, clientAddress),
      asResponse: true,
    })
    if (await saysDisabled(response)) throw new SondeError('forbidden', DISABLED, { operation: 'sign in' })
    if (!response.ok) throw new Error(`better-auth answered ${response.status} to a new session`)
    const { user, sessionId } = (await response.json()) as { user: { email: string }; sessionId: string }
    const about = { userId, email: user.email, address: clientAddress }
    const device = await devices.idOf(headers, { userId })
    await events.record({ event: 'sign_in', ...about, reason, ...browserOf(headers, device) })
    return {
      setCookies: [...response.headers.getSetCookie(), ...(await devices.remember(userId))],
      sessionId,
    }
  }
}
