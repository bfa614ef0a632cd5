/** Statements that people run in the console: who ran which, and whether anybody may. */
import type { OrgScope, Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { sqlConsoleSetting, writeTransaction } from '@sonde/stores'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'

/** Of a statement, what tells it apart; the audit log is no archive. */
const MAX_NOTED_CHARS = 1000

/**
 * Before each run, so that one which takes the process with it is known too. Permission `event:read`: what the console
 * shows is what the screens show. Throws `SondeError` (`forbidden` also where the console is switched off).
 */
export async function noteSqlRun(
  { access, records, clock }: CommandDeps,
  viewer: Viewer,
  { org, sql }: { readonly org: string; readonly sql: string },
): Promise<OrgScope> {
  const scope = await access.openOrg(viewer, org, 'event:read')
  const off = await records
    .selectFrom('setting')
    .select('value')
    .where('name', '=', sqlConsoleSetting(scope.orgId))
    .executeTakeFirst()
  if (off)
    throw new SondeError('forbidden', 'the SQL console is switched off for this organization', {
      operation: 'run a statement of the console',
      subject: scope.orgSlug,
      hint: 'An owner can switch it on.',
    })
  await writeAudit(records, {
    orgId: scope.orgId,
    viewer,
    action: 'sql.run',
    subject: scope.orgSlug,
    detail: { sql: sql.slice(0, MAX_NOTED_CHARS), chars: sql.length },
    atMs: clock.nowMs(),
  })
  return scope
}

/** Idempotent. Permission `org:write`. Throws `SondeError`. */
export async function switchSqlConsole(
  { access, records, clock }: CommandDeps,
  viewer: Viewer,
  { org, isOn }: { readonly org: string; readonly isOn: boolean },
): Promise<void> {
  const scope = await access.openOrg(viewer, org, 'org:write')
  const name = sqlConsoleSetting(scope.orgId)
  await writeTransaction(records, async (tx) => {
    if (isOn) await tx.deleteFrom('setting').where('name', '=', name).execute()
    else
      await tx
        .insertInto('setting')
        .values({ name, value: 'off' })
        .onConflict((on) => on.column('name').doNothing())
        .execute()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: isOn ? 'sql.on' : 'sql.off',
      subject: scope.orgSlug,
      atMs: clock.nowMs(),
    })
  })
}
