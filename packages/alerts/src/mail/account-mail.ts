/**
 * Sends mail about accounts: invitations, links for a new password, notices. What cannot be sent is tried again until it is of
 * no use any more. Nothing of it stays in the records.
 */
import { type AccountMail, readAccountMail, type Seal } from '@sonde/access'
import type { Clock, Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { nextAttemptMs } from '../outbox/retry.ts'
import { escaped, htmlPage, type Mail, styles } from './mail-of.ts'
import type { Mailer } from './mailer.ts'

export type AccountMailDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly channels: { readonly seal: Seal }
  /** Undefined: mail is not set up. */
  readonly mailer: Mailer | undefined
}

const AT_ONCE = 50

export const nextAccountMailMs = async (records: Records): Promise<number | undefined> => {
  const row = await records
    .selectFrom('account_mail')
    .select((eb) => eb.fn.min('next_attempt_ms').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Returns how many were due. Ends early, between two mails, when the signal does. */
export async function sendAccountMail(deps: AccountMailDeps, signal: AbortSignal): Promise<number> {
  const { records, clock } = deps
  const due = await records
    .selectFrom('account_mail')
    .selectAll()
    .where('next_attempt_ms', '<=', clock.nowMs())
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  for (const each of due) {
    if (signal.aborted) break
    await sendOne(deps, each)
  }
  return due.length
}

type Due = {
  readonly id: number
  readonly to_address: string
  readonly content: string
  readonly attempts: number
  readonly expires_ms: number
}

async function sendOne(
  { records, clock, logger, channels, mailer }: AccountMailDeps,
  due: Due,
): Promise<void> {
  const attempts = due.attempts + 1
  const drop = () => records.deleteFrom('account_mail').where('id', '=', due.id).execute()
  const mail = await readAccountMail(channels.seal, due.content).catch(() => undefined)
  if (!mailer || !mail || due.expires_ms <= clock.nowMs()) {
    logger.warn({ mail: due.id }, 'mail about an account was given up: too old, or mail is not set up')
    await drop()
    return
  }
  // Counted before: who stops in between sends it once more, not for ever.
  const later = nextAttemptMs(attempts, clock.nowMs(), undefined)
  await records
    .updateTable('account_mail')
    .set({ attempts, next_attempt_ms: later ?? due.expires_ms })
    .where('id', '=', due.id)
    .execute()
  const result = await mailer.send(due.to_address, accountMailOf(mail), `account-mail ${due.id}`)
  if (!result.isDelivered) {
    logger.warn({ mail: due.id, answer: result.answer }, 'mail about an account was not delivered')
    if (result.again !== 'never' && later !== undefined) return
  }
  await drop()
}

function accountMailOf({ subject, heading, lines, facts, button, footer }: AccountMail): Mail {
  const text = [
    heading,
    '',
    ...lines.flatMap((line) => [line, '']),
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...(facts.length > 0 ? [''] : []),
    ...(button ? [`${button.label}: ${button.url}`, ''] : []),
    '-- ',
    footer,
  ].join('\n')
  const { paragraph, fact, link } = styles
  const body =
    lines.map((line) => paragraph(escaped(line))).join('') +
    `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0">${facts.map(fact).join('')}</table>` +
    (button ? link(button.label, button.url) : '')
  return {
    subject: oneLine(subject),
    text,
    html: htmlPage({ title: heading, body, footer: escaped(footer) }),
  }
}

const MAX_SUBJECT_CHARS = 200
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_CHARS)
