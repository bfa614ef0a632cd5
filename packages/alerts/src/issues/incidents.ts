/** Incidents of issue rules: opened, told again after the cool-down, ended. Within the caller's transaction. */
import { type IssueTable, noteIssueChange, type Records, type Selectable } from '@sonde/stores'
import { type ActivityMessageKind, headlineOf, type Message, type MessageKind } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { channelsTold, lastTold, queueNotifications } from '../outbox/queue.ts'
import type { IssueRule } from '../rules/rule.ts'
import { makeExternal } from './make-external.ts'

export type IssueDeps = {
  /** Under which people reach the screens. */
  readonly publicUrl: string
  /** Undefined: mail is not set up, so none is queued. */
  readonly mailer: unknown
}

/** Rows of issues with their project, as messages tell of them. */
export const selectIssueFacts = (records: Records) =>
  records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select([
      'issue.id as issue_id',
      'issue.short_number',
      'issue.title',
      'issue.culprit',
      'issue.level',
      'issue.status',
      'issue.assignee_user_id',
      'issue.assignee_team_id',
    ])
    .select([
      'issue.event_count',
      'issue.first_seen_ms',
      'issue.first_release',
      'issue.last_release',
      'issue.last_event_id',
      'issue.metadata',
    ])
    .select([
      'project.id as project_id',
      'project.slug as project_slug',
      'project.org_id',
      'organization.slug as org_slug',
    ])
export type IssueFacts = Awaited<ReturnType<ReturnType<typeof selectIssueFacts>['execute']>>[number]

export const readIssueFacts = async (tx: Records, ids: readonly number[]): Promise<readonly IssueFacts[]> =>
  ids.length === 0 ? [] : selectIssueFacts(tx).where('issue.id', 'in', ids).execute()

export type FiringRule = { readonly id: number; readonly name: string; readonly rule: IssueRule }

/** What made the rule fire. `key`: the same whenever it is the same. */
export type Cause = {
  readonly key: string
  readonly kind: Exclude<
    MessageKind,
    | 'acknowledged'
    | 'resolved'
    | 'digest'
    | 'test'
    | 'metric'
    | 'spike'
    | 'uptime'
    | 'cron'
    | 'release'
    | ActivityMessageKind
  >
  readonly eventId: string
  readonly atMs: number
}

/** One incident for each rule and issue at a time; it is told again when the cool-down is over. */
export async function openOrRepeat(
  tx: Records,
  deps: IssueDeps,
  issue: IssueFacts,
  { id, name, rule }: FiringRule,
  cause: Cause,
  nowMs: number,
  extra: Message['facts'] = [],
): Promise<void> {
  const open = await tx
    .selectFrom('incident')
    .select(['id', 'fired_ms'])
    .where('rule_id', '=', id)
    .where('issue_id', '=', issue.issue_id)
    .where('resolved_ms', 'is', null)
    .executeTakeFirst()
  if (open && open.fired_ms > nowMs - rule.coolDownMinutes * 60_000) return
  if (open) await tx.updateTable('incident').set({ fired_ms: nowMs }).where('id', '=', open.id).execute()
  const incidentId = open?.id ?? (await openIncident(tx, issue, { id, name }, cause, nowMs))
  const told = await placesOf(tx, {
    ...ownerOf(issue),
    kind: cause.kind,
    actions: rule.actions,
    ownerId: rule.ownerId,
    issueId: issue.issue_id,
    hasMail: deps.mailer !== undefined,
    nowMs,
  })
  const message = {
    ...messageOf(deps, issue, cause.kind, cause.atMs, extra),
    rule: { id, name },
    incidentId,
  }
  const key = `${id}:${issue.issue_id}:${cause.key}`
  await queueNotifications(tx, told, { key, message, incidentId, ...ownerOf(issue) }, nowMs)
  if (told.length > 0)
    await noteIssueChange(
      tx,
      {
        projectId: issue.project_id,
        issueId: issue.issue_id,
        kind: 'notified',
        actor: `rule:${id}`,
        detail: {
          rule: name,
          incidentId,
          people: new Set(told.flatMap((place) => (place.medium === 'channel' ? [] : [place.userId]))).size,
          channels: told
            .flatMap((place) => (place.medium === 'channel' ? [place.channelId] : []))
            .slice(0, 20),
        },
      },
      nowMs,
    )
  const firing = { issueId: issue.issue_id, orgId: issue.org_id, ruleId: id, actions: rule.actions }
  await makeExternal(tx, firing, nowMs)
}

async function openIncident(
  tx: Records,
  issue: IssueFacts,
  rule: Pick<FiringRule, 'id' | 'name'>,
  { key, kind, eventId, atMs }: Cause,
  nowMs: number,
): Promise<number> {
  const { id } = await tx
    .insertInto('incident')
    .values({
      project_id: issue.project_id,
      rule_id: rule.id,
      rule_name: rule.name,
      issue_id: issue.issue_id,
      dedup_key: `issue:${rule.id}:${issue.issue_id}:${key}`,
      cause: JSON.stringify({ kind, eventId }),
      started_ms: atMs,
      fired_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type IncidentEnd = {
  /** `actorOf` who ended it. */
  readonly by?: string
  readonly isTold?: boolean
  /** Whoever ended it there is not told of it. */
  readonly exceptChannelId?: number
}

/** Channels that were told of the beginning are told of the end; the inbox has the issue itself. */
export async function resolveIncident(
  tx: Records,
  deps: IssueDeps,
  incidentId: number,
  nowMs: number,
  { by = 'rule', isTold = true, exceptChannelId }: IncidentEnd = {},
): Promise<void> {
  const ended = await tx
    .updateTable('incident')
    .set({ resolved_ms: nowMs, resolved_by: by })
    .where('id', '=', incidentId)
    .where('resolved_ms', 'is', null)
    .returning(['issue_id', 'rule_id', 'rule_name'])
    .executeTakeFirst()
  if (!ended || !isTold) return
  if (ended.issue_id === null) return tellMetricEnd(tx, incidentId, nowMs, exceptChannelId)
  const [issue] = await readIssueFacts(tx, [ended.issue_id])
  if (!issue) return
  const message: Message = {
    ...messageOf(deps, issue, 'resolved', nowMs),
    ...(ended.rule_id !== null && { rule: { id: ended.rule_id, name: ended.rule_name } }),
    incidentId,
  }
  const told = await toldOthers(tx, incidentId, exceptChannelId)
  const key = `incident:${incidentId}:resolved`
  await queueNotifications(tx, told, { key, message, incidentId, ...ownerOf(issue) }, nowMs)
}

/** A person ended it, so there is no value of now: what was told last says what it was about. */
async function tellMetricEnd(
  tx: Records,
  incidentId: number,
  nowMs: number,
  exceptChannelId: number | undefined,
): Promise<void> {
  const last = await lastTold(tx, incidentId)
  if (!last) return
  const before = last.message
  const message: Message = {
    ...before,
    kind: 'resolved',
    headline: headlineOf('resolved', `${before.org}/${before.project}`),
    level: 'info',
    atMs: nowMs,
  }
  const told = await toldOthers(tx, incidentId, exceptChannelId)
  const owner = { orgId: last.orgId, projectId: last.projectId }
  await queueNotifications(
    tx,
    told,
    { key: `incident:${incidentId}:resolved`, message, incidentId, ...owner },
    nowMs,
  )
}

const toldOthers = async (tx: Records, incidentId: number, exceptChannelId: number | undefined) =>
  (await channelsTold(tx, incidentId)).filter(({ channelId }) => channelId !== exceptChannelId)

const ownerOf = ({ org_id, project_id }: IssueFacts) => ({ orgId: org_id, projectId: project_id })

function messageOf(
  { publicUrl }: IssueDeps,
  issue: IssueFacts,
  kind: Cause['kind'] | 'resolved',
  atMs: number,
  extra: Message['facts'] = [],
): Message {
  const { org_slug: org, project_slug: project, first_release, last_release } = issue
  const shortId = `${project.toUpperCase()}-${issue.short_number}`
  const { filename = '', function: called = '' } = placeIn(issue.metadata)
  const facts: Message['facts'] = [
    ['Issue', shortId],
    ['Level', issue.level],
    ...extra,
    ['Events in all', String(issue.event_count)],
    ['First release', first_release],
    ['Last release', last_release === first_release ? '' : last_release],
    ['In', [called, filename].filter(Boolean).join(' in ')],
  ]
  return {
    kind,
    headline: headlineOf(kind, `${org}/${project}`),
    title: issue.title,
    place: issue.culprit,
    level: issue.level,
    facts: facts.filter(([, value]) => value !== ''),
    url: `${publicUrl}/${org}/${project}/issues/${shortId}`,
    org,
    project,
    issue: { id: issue.issue_id, shortId },
    atMs,
  }
}

/** `IssueTable.metadata`: written by the pipeline, never by a sender. */
const placeIn = (metadata: Selectable<IssueTable>['metadata']): { filename?: string; function?: string } =>
  JSON.parse(metadata || '{}')
