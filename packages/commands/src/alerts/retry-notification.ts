/** Sends a notification of a channel again: one that failed, waits, or was delivered and is wanted once more. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'

const INPUT = z.object({ channelId: z.int().positive(), notificationId: z.int().positive() })

/**
 * It goes out with the next look of the outbox, under the same key, so that the other side can tell the repeat. Throws
 * `SondeError` (`not-found`; `conflict`: it is being sent, or went with a digest).
 */
export async function retryNotification(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'integration:write', 'org'>,
  input: z.input<typeof INPUT>,
): Promise<void> {
  const operation = 'send a notification again'
  const { channelId, notificationId } = readInput(operation, INPUT, input)
  const subject = String(notificationId)
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const before = await tx
      .selectFrom('notification')
      .select('state')
      .where('id', '=', notificationId)
      .where('channel_id', '=', channelId)
      .where('org_id', '=', grant.orgId)
      .executeTakeFirst()
    if (!before)
      throw new SondeError('not-found', `there is no notification ${notificationId}`, { operation, subject })
    const { numUpdatedRows } = await tx
      .updateTable('notification')
      .set({ state: 'waiting', next_attempt_ms: atMs, done_ms: null })
      .where('id', '=', notificationId)
      .where('state', 'in', ['failed', 'sent', 'waiting'])
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0)
      throw new SondeError(
        'conflict',
        before.state === 'digested' ? 'it went with a digest: send that one' : 'it is being sent just now',
        { operation, subject },
      )
    const detail = { channelId, notificationId, before: before.state }
    const { orgId, orgSlug, viewer } = grant
    await writeAudit(tx, { orgId, viewer, action: 'notification.retry', subject: orgSlug, detail, atMs })
  })
}
