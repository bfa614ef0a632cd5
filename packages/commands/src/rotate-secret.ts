/** Another key for the installation. The file that holds it is the caller's; this is what the records hold by it. */
import {
  dropSecondFactors,
  type OperatorViewer,
  reencryptSecondFactors,
  SECRET_CHECK,
  secretCheck,
} from '@sonde/access'
import { writeTransaction } from '@sonde/stores'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

export type RotateSecretInput = {
  /** Undefined: it is lost. What was encrypted with it goes, and two-factor sign-in is off for everybody. */
  readonly from: string | undefined
  readonly to: string
}

/**
 * Two-factor secrets and backup codes are encrypted anew, every session ends, all in one transaction. No Sonde may run:
 * it would go on with the old key. Throws when `from` is not the key of these records; nothing changed then.
 */
export async function rotateSecret(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  viewer: OperatorViewer,
  { from, to }: RotateSecretInput,
): Promise<{ readonly secondFactors: number; readonly sessions: number }> {
  return writeTransaction(records, async (tx) => {
    const secondFactors =
      from === undefined ? await dropSecondFactors(tx) : await reencryptSecondFactors(tx, { from, to })
    const ended = await tx.deleteFrom('session').returning('id').execute()
    const value = secretCheck(to)
    await tx
      .insertInto('setting')
      .values({ name: SECRET_CHECK, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    const detail = { secondFactors, sessions: ended.length, isLost: from === undefined }
    await writeAudit(tx, {
      orgId: null,
      viewer,
      action: 'secret.rotate',
      subject: 'installation',
      detail,
      atMs: clock.nowMs(),
    })
    return { secondFactors, sessions: ended.length }
  })
}
