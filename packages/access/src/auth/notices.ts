/**
 * Mail to somebody about their own account: a sign-in from a browser or network that was not seen before, and each change of
 * how the account is opened. No setting switches these off. Not more than so many of a kind a day.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { AccountMailbox } from '../account-mail.ts'
import { deviceName } from '../device-name.ts'
import type { SecurityEvent, SecurityEventName } from './security-events.ts'
import { networkOf, type TryLimit } from './try-limit.ts'

/** Headings of those that are told; what is not here is in the log and the audit alone. */
const HEADINGS = {
  sign_in: 'New sign-in to your account',
  password_changed: 'Your password was changed',
  password_set: 'Your password was set by an operator',
  password_reset: 'Your password was changed by a link from your mail',
  two_factor_on: 'Two-factor sign-in was turned on',
  two_factor_off: 'Two-factor sign-in was turned off',
  two_factor_reset: 'Two-factor sign-in was turned off by an operator',
  second_factor_locked: 'Somebody entered your password, but no right code',
  backup_codes_renewed: 'New backup codes were generated',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  token_created: 'A token was created',
  app_connected: 'An application was connected to your account',
  email_changed: 'Your e-mail address was changed',
} as const satisfies Partial<Record<SecurityEventName, string>>

const DAY_MS = 24 * 60 * 60_000
const A_DAY = 10
/** Who comes back after it is told again. */
const NETWORK_LIFE_MS = 90 * DAY_MS

type Notices = {
  /** In no transaction: what happened has happened. */
  tell(event: SecurityEvent): Promise<void>
}

type NoticeDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly limit: TryLimit
  readonly mailbox: AccountMailbox
  readonly publicUrl: string
  readonly secret: string
}

export function createNotices(deps: NoticeDeps): Notices {
  const { records, clock, limit, mailbox, publicUrl } = deps
  return {
    async tell(event) {
      const { userId } = event
      if (userId === undefined || !isTold(event.event)) return
      const isNews = event.event !== 'sign_in' || (await isNewPlace(deps, event, userId))
      if (!isNews || !mailbox.isOn) return
      const person = await records
        .selectFrom('user')
        .select(['email', 'timeZone', 'disabledMs'])
        .where('id', '=', userId)
        .executeTakeFirst()
      if (!person || person.disabledMs !== null) return
      const key = `notice ${event.event} of ${userId}`
      const taken = await limit.take([{ name: 'notice', key, maxTries: A_DAY, windowMs: DAY_MS }])
      if (!('filled' in taken)) return
      const heading = HEADINGS[event.event]
      const facts: [string, string][] = [
        ...(event.about === undefined ? [] : [['Name', event.about] as [string, string]]),
        ['Time', timeText(clock.nowMs(), person.timeZone)],
        ...(event.userAgent === undefined
          ? []
          : [['Browser', deviceName(event.userAgent) ?? 'unknown'] as [string, string]]),
        ...(event.address === undefined ? [] : [['Address', event.address] as [string, string]]),
      ]
      await mailbox.queue(records, event.to ?? person.email, {
        subject: heading,
        heading,
        lines: [
          'If this was you, there is nothing to do.',
          `If not: change your password, which ends other sessions, and look at your sessions, passkeys and tokens. If you cannot sign in any more, ask for a new password at ${publicUrl}/sign-in/forgot and tell whoever runs this Sonde.`,
        ],
        facts,
        button: { label: 'Look at your account', url: `${publicUrl}/settings/account` },
        footer: `Sonde at ${publicUrl} sends this for the safety of your account; it cannot be switched off.`,
      })
    },
  }
}

type Told = keyof typeof HEADINGS
const isTold = (name: SecurityEventName): name is Told => Object.hasOwn(HEADINGS, name)

/** Remembers the network. The first sign-in of all, and that of a new account, is no news. */
async function isNewPlace(
  { records, clock, secret }: NoticeDeps,
  { address, isKnownDevice, reason }: SecurityEvent,
  userId: string,
): Promise<boolean> {
  const nowMs = clock.nowMs()
  const known = await records
    .selectFrom('sign_in_network')
    .select('network')
    .where('user_id', '=', userId)
    .where('last_ms', '>', nowMs - NETWORK_LIFE_MS)
    .execute()
  const network = createHmac('sha256', secret)
    .update(`sign-in from ${networkOf(address) ?? '?'}`)
    .digest('base64url')
  await records
    .deleteFrom('sign_in_network')
    .where('user_id', '=', userId)
    .where('last_ms', '<=', nowMs - NETWORK_LIFE_MS)
    .execute()
  await records
    .insertInto('sign_in_network')
    .values({ user_id: userId, network, last_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ last_ms: nowMs }))
    .execute()
  if (known.length === 0 || reason === 'invitation') return false
  return isKnownDevice !== true || !known.some((row) => row.network === network)
}

/** `23 November 2026 at 18:05 (Europe/Berlin)`. */
export function timeText(atMs: number, timeZone: string): string {
  const zone = timeZone === '' ? 'UTC' : timeZone
  const options = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' } as const
  try {
    return `${new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(atMs)} (${zone})`
  } catch {
    // A zone that this version of the runtime no longer knows.
    return `${new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(atMs)} (UTC)`
  }
}
