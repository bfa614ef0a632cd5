/** Incidents of a project: the list, and one with who was told and what people wrote. */
import type { Grant } from '@sonde/access'
import type { ChannelKind, NotificationMedium, NotificationState } from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'alert:read', 'project'>

export type IncidentIssue = {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly status: string
}

export type IncidentRow = {
  readonly id: number
  /** Undefined: the rule was deleted. */
  readonly ruleId: number | undefined
  readonly ruleName: string
  /** Of a rule about issues. */
  readonly issue: IncidentIssue | undefined
  /** JSON: what fired, with value, threshold and window. */
  readonly cause: string
  readonly startedMs: number
  /** When it was told the last time. */
  readonly firedMs: number
  readonly acknowledgedMs: number | undefined
  /** For people; empty: nobody did. */
  readonly acknowledgedBy: string
  readonly resolvedMs: number | undefined
  /** For people; `rule`: what it was about ended. */
  readonly resolvedBy: string
}

export type IncidentsInput = {
  readonly isOpen?: boolean | undefined
  readonly ruleId?: number | undefined
  /** From 1. */
  readonly page: number
  readonly limit: number
}

/** The newest first; `total`: of all pages. */
export async function incidents(
  deps: Deps,
  grant: ReadGrant,
  { isOpen, ruleId, page, limit }: IncidentsInput,
): Promise<{ readonly rows: readonly IncidentRow[]; readonly total: number }> {
  const narrowed = selectIncidents(deps, grant)
    .$if(isOpen === true, (query) => query.where('incident.resolved_ms', 'is', null))
    .$if(isOpen === false, (query) => query.where('incident.resolved_ms', 'is not', null))
    .$if(ruleId !== undefined, (query) => query.where('incident.rule_id', '=', ruleId ?? 0))
  const [rows, { total }] = await Promise.all([
    narrowed
      .orderBy('incident.id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    narrowed
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: await shownIncidents(deps, rows), total }
}

/** Undefined: the project has none of this id. */
export async function incident(
  deps: Deps,
  grant: ReadGrant,
  incidentId: number,
): Promise<IncidentRow | undefined> {
  const rows = await selectIncidents(deps, grant).where('incident.id', '=', incidentId).execute()
  return (await shownIncidents(deps, rows))[0]
}

const selectIncidents = ({ records }: Deps, { projectId }: ReadGrant) =>
  records
    .selectFrom('incident')
    .innerJoin('project', 'project.id', 'incident.project_id')
    .leftJoin('issue', 'issue.id', 'incident.issue_id')
    .select(['incident.id', 'incident.rule_id', 'incident.rule_name', 'incident.cause'])
    .select(['incident.started_ms', 'incident.fired_ms', 'incident.acknowledged_ms'])
    .select(['incident.acknowledged_by', 'incident.resolved_ms', 'incident.resolved_by'])
    .select(['project.slug', 'issue.id as issue_id', 'issue.short_number', 'issue.title', 'issue.culprit'])
    .select(['issue.level', 'issue.status'])
    .where('incident.project_id', '=', projectId)

type Row = Awaited<ReturnType<ReturnType<typeof selectIncidents>['execute']>>[number]

async function shownIncidents({ records }: Deps, rows: readonly Row[]): Promise<readonly IncidentRow[]> {
  const actors = rows.flatMap((row) => [row.acknowledged_by, row.resolved_by])
  const names = await actorNames(
    records,
    actors.filter((actor) => actor !== '' && actor !== 'rule'),
  )
  return rows.map((row) => ({
    id: row.id,
    ruleId: row.rule_id ?? undefined,
    ruleName: row.rule_name,
    issue: issueOf(row),
    cause: row.cause,
    startedMs: row.started_ms,
    firedMs: row.fired_ms,
    acknowledgedMs: row.acknowledged_ms ?? undefined,
    acknowledgedBy: names.get(row.acknowledged_by) ?? '',
    resolvedMs: row.resolved_ms ?? undefined,
    resolvedBy: names.get(row.resolved_by) ?? row.resolved_by,
  }))
}

function issueOf(row: Row): IncidentIssue | undefined {
  const { issue_id: id, slug, short_number, title, culprit, level, status } = row
  if (id === null) return undefined
  return {
    id,
    shortId: `${slug.toUpperCase()}-${short_number}`,
    title: title ?? '',
    culprit: culprit ?? '',
    level: level ?? '',
    status: status ?? '',
  }
}

export type IncidentNotification = {
  readonly id: number
  readonly medium: NotificationMedium
  readonly channel: { readonly kind: ChannelKind; readonly name: string } | undefined
  /** Name or address of whom it went to. */
  readonly person: string | undefined
  /** It tells of the incident's end. */
  readonly isEnd: boolean
  readonly state: NotificationState
  readonly attempts: number
  readonly nextAttemptMs: number
  readonly createdMs: number
  readonly doneMs: number | undefined
  readonly answer: string
}

const MAX_NOTIFICATIONS = 200

/** Oldest first, at most 200. */
export async function incidentNotifications(
  { records }: Deps,
  grant: ReadGrant,
  incidentId: number,
): Promise<readonly IncidentNotification[]> {
  const rows = await records
    .selectFrom('notification')
    .leftJoin('notification_channel', 'notification_channel.id', 'notification.channel_id')
    .leftJoin('user', 'user.id', 'notification.user_id')
    .select(['notification.id', 'notification.medium', 'notification.state', 'notification.attempts'])
    .select(['notification.next_attempt_ms', 'notification.created_ms', 'notification.done_ms'])
    .select(['notification.answer', 'notification.message'])
    .select(['notification_channel.kind', 'notification_channel.name as channel_name'])
    .select(['user.name', 'user.email'])
    .where('notification.incident_id', '=', incidentId)
    .where('notification.project_id', '=', grant.projectId)
    .orderBy('notification.id')
    .limit(MAX_NOTIFICATIONS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    medium: row.medium,
    channel: row.kind === null ? undefined : { kind: row.kind, name: row.channel_name ?? '' },
    person: row.email === null ? undefined : row.name || row.email,
    isEnd: (JSON.parse(row.message) as { kind?: string }).kind === 'resolved',
    state: row.state,
    attempts: row.attempts,
    nextAttemptMs: row.next_attempt_ms,
    createdMs: row.created_ms,
    doneMs: row.done_ms ?? undefined,
    answer: row.answer,
  }))
}

export type IncidentNote = {
  readonly id: number
  readonly author: string
  readonly text: string
  readonly atMs: number
}

const MAX_NOTES = 200

/** Oldest first, the newest 200. */
export async function incidentNotes(
  { records }: Deps,
  { projectId }: ReadGrant,
  incidentId: number,
): Promise<readonly IncidentNote[]> {
  const rows = await records
    .selectFrom('incident_note')
    .innerJoin('incident', 'incident.id', 'incident_note.incident_id')
    .select(['incident_note.id', 'incident_note.actor', 'incident_note.body', 'incident_note.at_ms'])
    .where('incident.id', '=', incidentId)
    .where('incident.project_id', '=', projectId)
    .orderBy('incident_note.id', 'desc')
    .limit(MAX_NOTES)
    .execute()
  const names = await actorNames(
    records,
    rows.map(({ actor }) => actor),
  )
  return rows
    .map(({ id, actor, body, at_ms: atMs }) => ({ id, author: names.get(actor) ?? '', text: body, atMs }))
    .toReversed()
}
