/** Mutes, unmutes, disables and enables a monitor, whatever its form says meanwhile. */
import type { Grant } from '@sonde/access'
import { expectAnew } from '@sonde/alerts'
import { writeTransaction } from '@sonde/stores'
import type { CommandDeps } from '../command-deps.ts'
import { auditCron, cronOf, endCronIncidents } from './change-cron.ts'

export const CRON_SWITCHES = ['mute', 'unmute', 'disable', 'enable'] as const
export type CronSwitch = (typeof CRON_SWITCHES)[number]

const SET = {
  mute: { is_muted: 1 },
  unmute: { is_muted: 0 },
  disable: { is_enabled: 0 },
  enable: { is_enabled: 1 },
} as const satisfies Readonly<Record<CronSwitch, object>>

/** Muted: it has its incidents and tells nobody. Disabled: check-ins change nothing, and its incidents end. Throws `SondeError` (`not-found`). */
export async function switchCron(
  deps: CommandDeps,
  grant: Grant<'alert:write', 'project'>,
  monitorId: number,
  to: CronSwitch,
): Promise<void> {
  const operation = `${to} a monitor`
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { name } = await cronOf(tx, grant, operation, monitorId)
    await tx
      .updateTable('cron_monitor')
      .set({ ...SET[to], updated_ms: atMs })
      .where('id', '=', monitorId)
      .execute()
    if (to === 'disable' || to === 'enable') await expectAnew(tx, monitorId, atMs)
    if (to === 'disable') await endCronIncidents(tx, grant, monitorId, atMs)
    await auditCron(tx, grant, `cron.${to}`, { monitorId, name }, atMs)
  })
}
