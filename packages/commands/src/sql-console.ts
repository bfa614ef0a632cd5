/** Statements that people run in the console: who ran which, and whether anybody may. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { sqlConsoleSetting, writeTransaction } from '@sonde/stores'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

/** Of a statement, what tells it apart; the audit log is no archive. */
const MAX_NOTED_CHARS = 1000

/**
 * Before each run, so that one which takes the process with it is known too. What the console shows is what the screens show. Throws `SondeError` (`forbidden` also where the console is switched off).
 */
export async function noteSqlRun(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'event:read', 'org'>,
  sql: string,
): Promise<void> {
  const off = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', sqlConsoleSetting(grant.orgId))
    .executeTakeFirst()
  if (off)
    throw new SondeError('forbidden', 'the SQL console is switched off for this organization', {
      operation: 'run a statement of the console',
      subject: grant.orgSlug,
      hint: 'An owner can switch it on.',
    })
  await writeAudit(records, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action: 'sql.run',
    subject: grant.orgSlug,
    detail: { sql: sql.slice(0, MAX_NOTED_CHARS), chars: sql.length },
    atMs: clock.nowMs(),
  })
}

/** Idempotent. */
export async function switchSqlConsole(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  grant: Grant<'org:write', 'org'>,
  isOn: boolean,
): Promise<void> {
  const name = sqlConsoleSetting(grant.orgId)
  await writeTransaction(records, async (tx) => {
    if (isOn) await tx.deleteFrom('setting').where('name', '=', name).execute()
    else
      await tx
        .insertInto('setting')
        .values({ name, value: 'off' })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: isOn ? 'sql.on' : 'sql.off',
      subject: grant.orgSlug,
      atMs: clock.nowMs(),
    })
  })
}
