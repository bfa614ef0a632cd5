/**
 * Makes a mail of each update for each subscriber, some hundred at a time. How far it came stands beside the update and moves in the
 * transaction that makes the mails, so that a process that ends anywhere goes on where it stopped, and nobody gets two.
 */
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'

type Deps = {
  readonly records: Records
  readonly clock: Clock
  /** Undefined: mail is not set up, and updates are told nobody. */
  readonly mailer: object | undefined
  /** Subscribers a step; tests have few. */
  readonly atOnce?: number
}

/** A transaction of so many rows takes some milliseconds. */
const AT_ONCE = 500

export async function hasUntoldUpdates(records: Records): Promise<boolean> {
  const row = await nextUpdate(records)
  return row !== undefined
}

const nextUpdate = (records: Records) =>
  records
    .selectFrom('status_update')
    .innerJoin('status_incident', 'status_incident.id', 'status_update.incident_id')
    .innerJoin('status_page', 'status_page.id', 'status_incident.page_id')
    .select(['status_update.id', 'status_update.at_ms', 'status_update.queued_to'])
    .select(['status_incident.page_id', 'status_incident.is_hidden', 'status_page.is_published'])
    .where('status_update.queued_to', 'is not', null)
    .orderBy('status_update.id')
    .limit(1)
    .executeTakeFirst()

/** One step. Returns false when nothing is left. Who subscribed after an update is not told of it. */
export async function queueStatusMail({ records, clock, mailer, atOnce = AT_ONCE }: Deps): Promise<boolean> {
  return writeTransaction(records, async (tx) => {
    const update = await nextUpdate(tx)
    if (!update) return false
    const isTold = mailer !== undefined && update.is_published === 1 && update.is_hidden === 0
    const subscribers = isTold
      ? await tx
          .selectFrom('status_subscriber')
          .select('id')
          .where('page_id', '=', update.page_id)
          .where('id', '>', update.queued_to ?? 0)
          .where('confirmed_ms', '<=', update.at_ms)
          .orderBy('id')
          .limit(atOnce)
          .execute()
      : []
    const nowMs = clock.nowMs()
    if (subscribers.length > 0)
      await tx
        .insertInto('status_mail')
        .values(
          subscribers.map(({ id }) => ({
            update_id: update.id,
            subscriber_id: id,
            attempts: 0,
            next_attempt_ms: nowMs,
          })),
        )
        .execute()
    await tx
      .updateTable('status_update')
      .set({ queued_to: subscribers.length < atOnce ? null : (subscribers.at(-1)?.id ?? null) })
      .where('id', '=', update.id)
      .execute()
    return true
  })
}
