/**
 * A code that somebody saw over a shoulder must not work a second time (RFC 6238, section 5.2), neither in another
 * process nor after a restart: so the used ones lie in the records for as long as they would be taken.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'

/** A code is taken 30 s before to 30 s after its own half minute. */
const CODE_LIVES_MS = 90_000

/** Marks the code as used. False: it was used before. Few rows: the limit counts each try before this is asked. */
export type UseCode = (userId: string, code: string) => Promise<boolean>

export function createUsedCodes(records: Records, clock: Clock, secret: string): UseCode {
  return (userId, code) =>
    writeTransaction(records, async (tx) => {
      const nowMs = clock.nowMs()
      await tx.deleteFrom('used_code').where('until_ms', '<=', nowMs).execute()
      const hash = createHmac('sha256', secret).update(`code ${userId} ${code}`).digest('base64url')
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('used_code')
        .values({ user_id: userId, code_hash: hash, until_ms: nowMs + CODE_LIVES_MS })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })
}
