/** Whom an organization wants to be told of what no rule is about. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'

export type NotificationActionRow = {
  readonly id: number
  readonly trigger: string
  readonly channelId: number | undefined
  readonly userId: string | undefined
  /** JSON: as it was sent. */
  readonly apiForm: string
  /** None: all of the organization. */
  readonly projectIds: readonly number[]
}

/**
 * In the order in which they were made; at most `RULE_LIMITS.channels`. Only those whose projects the grant covers: one that
 * is about all projects only where it covers all.
 */
export async function notificationActions(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId, projects: seen }: Grant<'alert:read', 'org'>,
): Promise<readonly NotificationActionRow[]> {
  const [rows, projects] = await Promise.all([
    records
      .selectFrom('notification_action')
      .select(['id', 'trigger_type', 'channel_id', 'user_id', 'api_form'])
      .where('org_id', '=', orgId)
      .orderBy('id')
      .execute(),
    records
      .selectFrom('notification_action_project as of')
      .innerJoin('notification_action as action', 'action.id', 'of.action_id')
      .innerJoin('project', 'project.id', 'of.project_id')
      .select(['of.action_id', 'of.project_id'])
      .where('action.org_id', '=', orgId)
      .orderBy('project.id')
      .execute(),
  ])
  const shown = rows.map((row) => ({
    id: row.id,
    trigger: row.trigger_type,
    channelId: row.channel_id ?? undefined,
    userId: row.user_id ?? undefined,
    apiForm: row.api_form,
    projectIds: projects.flatMap(({ action_id, project_id }) => (action_id === row.id ? [project_id] : [])),
  }))
  if (seen === undefined) return shown
  return shown.filter(
    ({ projectIds }) => projectIds.length > 0 && projectIds.every((id) => seen.includes(id)),
  )
}
