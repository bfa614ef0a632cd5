/** An environment of a monitor with its monitor and project, and how a run of it ended. */
import type { CronStateWord, Records } from '@sonde/stores'

const selectEnvironment = (tx: Records) =>
  tx
    .selectFrom('cron_environment')
    .innerJoin('cron_monitor', 'cron_monitor.id', 'cron_environment.monitor_id')
    .innerJoin('project', 'project.id', 'cron_monitor.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .selectAll('cron_environment')
    .select(['cron_monitor.slug', 'cron_monitor.name', 'cron_monitor.config', 'cron_monitor.actions'])
    .select(['cron_monitor.owner', 'cron_monitor.is_enabled', 'cron_monitor.is_muted'])
    .select(['project.id as project_id', 'project.slug as project_slug', 'project.org_id'])
    .select('organization.slug as org_slug')

export const readEnvironment = (tx: Records, id: number) =>
  selectEnvironment(tx).where('cron_environment.id', '=', id).executeTakeFirst()
export type EnvironmentRow = NonNullable<Awaited<ReturnType<typeof readEnvironment>>>

export type RunEnd = {
  readonly runId: number
  readonly status: Exclude<CronStateWord, 'new'>
  readonly atMs: number
}
