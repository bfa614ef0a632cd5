/**
 * Sends what `queueStatusMail` made. An attempt is counted before it is made, and a mail is removed once it is delivered: a process
 * that ends between both sends it once more, under the same Message-ID, by which mail programs show it once.
 */
import type { Seal } from '@sonde/access'
import { type Clock, forEachAtOnce, type Logger } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { Mailer } from '../mail/mailer.ts'
import { nextAttemptMs } from '../outbox/retry.ts'
import { statusMailOf } from './status-mail.ts'
import { statusUrl } from './status-words.ts'
import { statusUnsubscribeToken, statusUnsubscribeUrl } from './unsubscribe-token.ts'

export type StatusMailDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly publicUrl: string
  readonly channels: { readonly seal: Seal }
  /** Undefined: mail is not set up. */
  readonly mailer: Mailer | undefined
  /** Called after each step of a mail; tests end the process here. */
  readonly afterStep?: (step: 'claimed' | 'delivered' | 'noted') => void | Promise<void>
}

const READ_AT_ONCE = 200
const SENT_AT_ONCE = 4

export const nextStatusMailMs = async (records: Records): Promise<number | undefined> => {
  const row = await records
    .selectFrom('status_mail')
    .select((eb) => eb.fn.min('next_attempt_ms').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Returns how many were due. Ends early, between two mails, when the signal does. */
export async function sendStatusMail(deps: StatusMailDeps, signal: AbortSignal): Promise<number> {
  const due = await readDue(deps.records, deps.clock.nowMs())
  // Those of one person in order: "resolved" does not come before "investigating".
  const people = [...Map.groupBy(due, ({ subscriberId }) => subscriberId).values()]
  await forEachAtOnce(people, SENT_AT_ONCE, signal, async (own) => {
    for (const each of own) {
      if (signal.aborted) return
      await sendOne(deps, each)
    }
  })
  return due.length
}

const readDue = (records: Records, nowMs: number) =>
  records
    .selectFrom('status_mail')
    .innerJoin('status_update', 'status_update.id', 'status_mail.update_id')
    .innerJoin('status_incident', 'status_incident.id', 'status_update.incident_id')
    .innerJoin('status_page', 'status_page.id', 'status_incident.page_id')
    .innerJoin('status_subscriber', 'status_subscriber.id', 'status_mail.subscriber_id')
    .select(['status_mail.update_id as updateId', 'status_mail.subscriber_id as subscriberId'])
    .select(['status_mail.attempts', 'status_subscriber.address'])
    .select(['status_update.state', 'status_update.body', 'status_update.at_ms as atMs'])
    .select(['status_incident.id as incidentId', 'status_incident.title', 'status_incident.kind'])
    .select(['status_incident.impact', 'status_incident.started_ms as startedMs'])
    .select(['status_incident.planned_end_ms as plannedEndMs', 'status_incident.is_hidden as isHidden'])
    .select(['status_page.title as pageTitle', 'status_page.slug', 'status_page.is_published as isPublished'])
    .where('status_mail.next_attempt_ms', '<=', nowMs)
    .orderBy('status_mail.update_id')
    .orderBy('status_mail.subscriber_id')
    .limit(READ_AT_ONCE)
    .execute()

type Due = Awaited<ReturnType<typeof readDue>>[number]

async function sendOne(deps: StatusMailDeps, due: Due): Promise<void> {
  const { records, clock, logger, mailer, publicUrl, channels, afterStep = () => undefined } = deps
  const own = { update: due.updateId, subscriber: due.subscriberId }
  const drop = () =>
    records
      .deleteFrom('status_mail')
      .where('update_id', '=', due.updateId)
      .where('subscriber_id', '=', due.subscriberId)
      .execute()
  // What was taken off the page meanwhile is told nobody any more.
  if (!mailer || due.isPublished === 0 || due.isHidden === 1) {
    await drop()
    return
  }
  const attempts = due.attempts + 1
  const later = nextAttemptMs(attempts, clock.nowMs())
  const { numUpdatedRows } = await records
    .updateTable('status_mail')
    .set({ attempts, next_attempt_ms: later ?? clock.nowMs() })
    .where('update_id', '=', due.updateId)
    .where('subscriber_id', '=', due.subscriberId)
    .executeTakeFirstOrThrow()
  // Unsubscribed since it was read.
  if (Number(numUpdatedRows) === 0) return
  await afterStep('claimed')
  const token = await statusUnsubscribeToken(channels.seal, due.subscriberId)
  const mail = statusMailOf(due, {
    pageUrl: statusUrl(publicUrl, due.slug),
    unsubscribeUrl: `${statusUrl(publicUrl, due.slug)}/unsubscribe?token=${encodeURIComponent(token)}`,
  })
  const result = await mailer.send(due.address, mail, `status ${due.updateId} ${due.subscriberId}`, {
    oneClickUrl: statusUnsubscribeUrl(publicUrl, token),
    thread: `status-incident ${due.incidentId}`,
  })
  await afterStep('delivered')
  if (!result.isDelivered) {
    logger.warn({ ...own, answer: result.answer }, 'mail of a status page was not delivered')
    if (result.again !== 'never' && later !== undefined) return
  }
  await drop()
  await afterStep('noted')
}
