/**
 * What a watcher wants to know of sign-ins: one JSON line each, whose `event` is one of this list and never changes
 * its meaning (docs/operate/sign-in.md has the filters), and a row of the audit for what belongs to a person.
 *
 * What was typed as an address is written only when somebody has it: people type passwords there. What strangers do
 * to an account has so many rows a day; the rest is in the log alone.
 */
import type { Clock, Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { TryLimit } from './try-limit.ts'

/** The `action` of its audit row; null: no row from here, the command that made the change writes its own. */
const AUDIT_ACTIONS = {
  sign_in: 'account.sign-in',
  sign_in_failed: 'account.sign-in-failure',
  /** The last try that a window allows was wrong. */
  sign_in_locked: 'account.sign-in-lock',
  /** Somebody has the password, but not the code. */
  second_factor_failed: 'account.second-factor-failure',
  second_factor_locked: 'account.second-factor-lock',
  /** By an organization's provider; its row is of that organization. */
  sso_failed: null,
  sign_out: 'account.sign-out',
  /** Of a person who is signed in: the current password, or the first code of an app. */
  own_secret_failed: 'account.own-secret-failure',
  own_secret_locked: 'account.own-secret-lock',
  password_changed: null,
  password_set: null,
  /** Whoever asked for it reads the person's mail. */
  password_reset: null,
  /** Of a link for a new password: anybody may ask for anybody. */
  reset_requested: 'account.reset-request',
  two_factor_on: null,
  two_factor_off: null,
  two_factor_reset: null,
  backup_codes_renewed: null,
  passkey_added: null,
  passkey_removed: null,
  token_created: null,
  app_connected: null,
  email_changed: null,
} as const

export type SecurityEventName = keyof typeof AUDIT_ACTIONS

export type SecurityEvent = {
  readonly event: SecurityEventName
  /** Whose account; undefined: nobody has that address. */
  readonly userId: string | undefined
  readonly address: string | undefined
  /** Of somebody, or not at all. */
  readonly email?: string | undefined
  /** Literal words. */
  readonly reason?: string
  /** Of the request, for the mail to the person. */
  readonly userAgent?: string | undefined
  /** Of `sign_in`: this browser was signed in with before. */
  readonly isKnownDevice?: boolean
  /** The name of what was added or removed, for the mail. */
  readonly about?: string
  /** Where to send the mail; the person's address unless told. */
  readonly to?: string
}

export type SecurityEvents = {
  /** Resolves when the row is written; never rejects. */
  record(event: SecurityEvent): Promise<void>
  /** Who has this address, for `record`. */
  personWith(email: string): Promise<{ readonly userId: string; readonly email: string } | undefined>
}

const AUDITED_A_DAY = 50
const DAY_MS = 24 * 60 * 60_000

export type SecurityEventDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly limit: TryLimit
  /** Without it nobody is mailed. */
  readonly notices?: { tell(event: SecurityEvent): Promise<void> }
}

export function createSecurityEvents(deps: SecurityEventDeps): SecurityEvents {
  const { records, clock, logger, limit, notices } = deps
  /** False: this account has had its rows of today. */
  const mayAudit = async ({ event, userId }: SecurityEvent): Promise<boolean> => {
    if (!isOfStrangers(event)) return true
    const key = `audited ${event} of ${userId}`
    const bound = { name: 'audit', key, maxTries: AUDITED_A_DAY, windowMs: DAY_MS } as const
    return 'filled' in (await limit.take([bound]))
  }
  const audit = async (event: SecurityEvent): Promise<void> => {
    const action = AUDIT_ACTIONS[event.event]
    if (event.userId === undefined || action === null || !(await mayAudit(event))) return
    await records
      .insertInto('audit_entry')
      .values({
        org_id: null,
        actor: isOfStrangers(event.event) ? 'stranger' : `user:${event.userId}`,
        action,
        subject: event.userId,
        detail: JSON.stringify(event.reason === undefined ? {} : { reason: event.reason }),
        at_ms: clock.nowMs(),
        address: event.address ?? null,
      })
      .execute()
  }
  return {
    async record(event) {
      const { userId, address = 'unknown', email, reason } = event
      const facts = {
        event: event.event,
        address,
        user: userId ?? 'unknown',
        ...(email && { email }),
        reason,
      }
      if (isBad(event.event)) logger.warn(facts, TEXTS[event.event])
      else logger.info(facts, TEXTS[event.event])
      try {
        await audit(event)
      } catch (error) {
        logger.error({ err: error, event: event.event }, 'an audit row could not be written')
      }
      try {
        await notices?.tell(event)
      } catch (error) {
        logger.error({ err: error, event: event.event }, 'a notice could not be queued')
      }
    },
    async personWith(email) {
      const row = await records.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
      return row && { userId: row.id, email }
    },
  }
}

const isBad = (event: SecurityEventName): boolean => /_(?:failed|locked)$/.test(event)
/** Whoever is signed in is no stranger, even when a password was wrong. */
const isOfStrangers = (event: SecurityEventName): boolean =>
  event === 'reset_requested' || (isBad(event) && !event.startsWith('own_'))

const TEXTS: Readonly<Record<SecurityEventName, string>> = {
  sign_in: 'signed in',
  sign_in_failed: 'a sign-in failed',
  sign_in_locked: 'too many sign-ins failed',
  second_factor_failed: 'the password was right, the code was not',
  second_factor_locked: 'the password was right, too many codes were not: somebody may know the password',
  sso_failed: 'a single sign-on failed',
  sign_out: 'signed out',
  own_secret_failed: 'a signed-in person gave a wrong password or code',
  own_secret_locked: 'a signed-in person gave too many wrong passwords or codes',
  password_changed: 'a password was changed by its person',
  password_set: 'a password was set by the operator',
  two_factor_on: 'two-factor sign-in was turned on',
  two_factor_off: 'two-factor sign-in was turned off by its person',
  two_factor_reset: 'two-factor sign-in was turned off by the operator',
  password_reset: 'a password was changed by a link of a mail',
  reset_requested: 'a link for a new password was asked for',
  backup_codes_renewed: 'new backup codes were made',
  passkey_added: 'a passkey was added',
  passkey_removed: 'a passkey was removed',
  token_created: 'a token was made by a person',
  app_connected: 'an application was connected by a person',
  email_changed: 'an address was changed by its person',
}
