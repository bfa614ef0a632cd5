/** Another key for the installation. The file that holds it is the caller's; this is what the records hold by it. */
import {
  dropChannelSecrets,
  dropSecondFactors,
  dropVapidKey,
  type OperatorViewer,
  reencryptChannels,
  reencryptSecondFactors,
  reencryptVapidKey,
  SECRET_CHECK,
  secretCheck,
} from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, runningNodes, writeTransaction } from '@sonde/stores'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

export type RotateSecretInput = {
  /** Undefined: it is lost. What was encrypted with it goes, and two-factor sign-in is off for everybody. */
  readonly from: string | undefined
  readonly to: string
}

/**
 * Two-factor secrets, backup codes and secrets of channels are encrypted anew, every session ends, all in one transaction. No Sonde may run that
 * has read the key: it would go on with the old one. Throws `SondeError` (`conflict`) when the records know of such a node,
 * and when `from` is not the key of these records; nothing changed then.
 */
export async function rotateSecret(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  viewer: OperatorViewer,
  { from, to }: RotateSecretInput,
): Promise<{ readonly secondFactors: number; readonly channels: number; readonly sessions: number }> {
  return writeTransaction(records, async (tx) => {
    await refuseWhileNodesRun(tx, clock.nowMs())
    const secondFactors =
      from === undefined ? await dropSecondFactors(tx) : await reencryptSecondFactors(tx, { from, to })
    const channels =
      from === undefined ? await dropChannelSecrets(tx) : await reencryptChannels(tx, { from, to })
    if (from === undefined) await dropVapidKey(tx)
    else await reencryptVapidKey(tx, { from, to })
    // Mail that waits holds links of minutes: whoever needs one asks again.
    await tx.deleteFrom('account_mail').execute()
    const ended = await tx.deleteFrom('session').returning('id').execute()
    const value = secretCheck(to)
    await tx
      .insertInto('setting')
      .values({ name: SECRET_CHECK, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    const detail = { secondFactors, channels, sessions: ended.length, isLost: from === undefined }
    await writeAudit(tx, {
      orgId: null,
      viewer,
      action: 'secret.rotate',
      subject: 'installation',
      detail,
      atMs: clock.nowMs(),
    })
    return { secondFactors, channels, sessions: ended.length }
  })
}

/**
 * A node says that it runs before it opens the key, and both it and we lock this row: so whoever opened the old key is seen
 * here, and whoever comes later finds the new one in the records.
 */
async function refuseWhileNodesRun(tx: Records, nowMs: number): Promise<void> {
  await tx
    .updateTable('settings_epoch')
    .set((row) => ({ value: row.ref('value') }))
    .execute()
  const running = await runningNodes(tx, nowMs)
  // To accept events is to need no key.
  const isKeyless = (roles: readonly string[]): boolean => roles.every((role) => role === 'ingest')
  const names = running
    .filter(({ roles }) => !isKeyless(JSON.parse(roles) as string[]))
    .map(({ name }) => name)
  if (names.length === 0) return
  const verb = names.length === 1 ? 'runs and would go on' : 'run and would go on'
  throw new SondeError('conflict', `${names.join(', ')} ${verb} with the old key`, {
    operation: 'rotate the secret key',
    hint: 'stop every start with the role pipeline, web, alerts or maintain (ingest alone may go on), rotate on one machine, bring the new file to the others, and start them; one that was killed counts for 20 s more',
  })
}
