/**
 * Looks at what changed about issues, once at each change: opens incidents and writes notifications for the rules that fire.
 * All that one batch of changes leads to is written in the transaction that marks it as looked at, so a crash neither loses
 * nor repeats any of it.
 */
import type { Clock, Logger } from '@sonde/base'
import { eventsThatMatch, SearchError } from '@sonde/queries'
import {
  type IssueChangeKind,
  type IssueTable,
  type Records,
  type Selectable,
  type Telemetry,
  writeTransaction,
} from '@sonde/stores'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf, type Told } from '../outbox/places.ts'
import { queueNotifications } from '../outbox/queue.ts'
import { type IssueRule, readIssueRule } from '../rules/rule.ts'

export type EvaluateDeps = {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly logger: Logger
  /** Under which people reach the screens. */
  readonly publicUrl: string
  /** Undefined: mail is not set up, so none is queued. */
  readonly mailer: unknown
}

/** In one transaction; a storm is several. */
const CHANGES_AT_ONCE = 200

export const hasPendingChanges = async (records: Records): Promise<boolean> =>
  (await records.selectFrom('issue_change').select('id').where('is_pending', '=', 1).limit(1).execute())
    .length > 0

/** Returns how many changes it looked at; 0: there is nothing left. */
export async function evaluateChanges(deps: EvaluateDeps): Promise<number> {
  const changes = await readChanges(deps.records)
  if (changes.length === 0) return 0
  const fired = await firedBy(deps, changes)
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const looked = await tx
      .updateTable('issue_change')
      .set({ is_pending: 0 })
      .where('is_pending', '=', 1)
      .where(
        'id',
        'in',
        changes.map(({ id }) => id),
      )
      .returning('id')
      .execute()
    const own = new Set(looked.map(({ id }) => id))
    for (const change of changes) {
      if (!own.has(change.id)) continue
      const { kind } = change
      if (kind === 'resolved' || kind === 'ignored') await endIncidents(tx, deps, change, nowMs)
      else for (const rule of fired.get(change.id) ?? []) await fire(tx, deps, change, kind, rule, nowMs)
    }
    return looked.length
  })
}

type Change = Awaited<ReturnType<typeof readChanges>>[number]

const readChanges = (records: Records) =>
  records
    .selectFrom('issue_change')
    .innerJoin('issue', 'issue.id', 'issue_change.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .select([
      'issue_change.id',
      'issue_change.kind',
      'issue_change.event_id',
      'issue_change.actor',
      'issue_change.at_ms',
    ])
    .select(['issue.id as issue_id', 'issue.short_number', 'issue.title', 'issue.culprit', 'issue.level'])
    .select([
      'issue.event_count',
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
    .where('issue_change.is_pending', '=', 1)
    .orderBy('issue_change.id')
    .limit(CHANGES_AT_ONCE)
    .execute()

type Rule = { readonly id: number; readonly name: string; readonly rule: IssueRule }

/** Change → the rules that fire for it. Reads telemetry, so it stands before the transaction. */
async function firedBy(
  { records, telemetry, clock, logger }: EvaluateDeps,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, readonly Rule[]>> {
  const fired = new Map<number, Rule[]>()
  for (const [projectId, own] of Map.groupBy(changes, (change) => change.project_id)) {
    for (const rule of await rulesOf(records, projectId, clock.nowMs(), logger)) {
      const triggered = own.filter(({ kind }) => rule.rule.triggers.some(({ type }) => type === kind))
      if (triggered.length === 0) continue
      const matching = await matchingOf(telemetry, logger, projectId, rule, triggered)
      for (const { id } of matching) fired.set(id, [...(fired.get(id) ?? []), rule])
    }
  }
  return fired
}

async function rulesOf(records: Records, projectId: number, nowMs: number, logger: Logger): Promise<Rule[]> {
  const rows = await records
    .selectFrom('alert_rule')
    .select(['id', 'name', 'value', 'muted_until_ms'])
    .where('project_id', '=', projectId)
    .where('kind', '=', 'issue')
    .where('is_enabled', '=', 1)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, name, value, muted_until_ms }) => {
    if (muted_until_ms !== null && muted_until_ms > nowMs) return []
    try {
      return [{ id, name, rule: readIssueRule(value) }]
    } catch (error) {
      logger.error({ err: error, rule: id }, 'an alert rule cannot be read, so it does not fire')
      return []
    }
  })
}

async function matchingOf(
  telemetry: Telemetry,
  logger: Logger,
  projectId: number,
  { id, rule }: Rule,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  if (rule.search === '') return changes
  const events = changes.map((change) => ({ issueId: change.issue_id, eventId: eventOf(change) }))
  try {
    const found = await eventsThatMatch({ telemetry }, projectId, events, rule.search)
    return changes.filter((change) => found.has(eventOf(change)))
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    logger.error({ err: error, rule: id }, 'the search of an alert rule cannot be read, so it does not fire')
    return []
  }
}

/** A person reopened it: then its newest event speaks for it. */
const eventOf = ({ event_id, last_event_id }: Change): string => event_id || last_event_id

async function fire(
  tx: Records,
  deps: EvaluateDeps,
  change: Change,
  kind: ShownKind,
  { id, name, rule }: Rule,
  nowMs: number,
): Promise<void> {
  const open = await tx
    .selectFrom('incident')
    .select(['id', 'fired_ms'])
    .where('rule_id', '=', id)
    .where('issue_id', '=', change.issue_id)
    .where('resolved_ms', 'is', null)
    .executeTakeFirst()
  if (open && open.fired_ms > nowMs - rule.coolDownMinutes * 60_000) return
  const incidentId = open?.id ?? (await openIncident(tx, change, id, name, nowMs))
  if (open) await tx.updateTable('incident').set({ fired_ms: nowMs }).where('id', '=', open.id).execute()
  const message: Message = { ...messageOf(deps, change, kind), rule: { id, name }, incidentId }
  const told = await placesOf(tx, change.org_id, rule.actions, deps.mailer !== undefined)
  await queueNotifications(
    tx,
    told,
    { key: `${id}:${change.id}`, message, incidentId, ...ownerOf(change) },
    nowMs,
  )
}

async function openIncident(tx: Records, change: Change, ruleId: number, ruleName: string, nowMs: number) {
  const { id } = await tx
    .insertInto('incident')
    .values({
      project_id: change.project_id,
      rule_id: ruleId,
      rule_name: ruleName,
      issue_id: change.issue_id,
      dedup_key: `issue:${ruleId}:${change.issue_id}:${change.id}`,
      cause: JSON.stringify({ kind: change.kind, eventId: eventOf(change) }),
      started_ms: change.at_ms,
      fired_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Who was told that it began is told that it is over; the inbox has the issue itself. */
async function endIncidents(tx: Records, deps: EvaluateDeps, change: Change, nowMs: number): Promise<void> {
  const ended = await tx
    .updateTable('incident')
    .set({ resolved_ms: nowMs, resolved_by: change.actor || 'rule' })
    .where('issue_id', '=', change.issue_id)
    .where('resolved_ms', 'is', null)
    .returning(['id', 'rule_id', 'rule_name'])
    .execute()
  if (change.kind !== 'resolved') return
  for (const { id: incidentId, rule_id, rule_name } of ended) {
    const channels = await tx
      .selectFrom('notification')
      .select('channel_id')
      .distinct()
      .where('incident_id', '=', incidentId)
      .where('channel_id', 'is not', null)
      .execute()
    const told: Told[] = channels.flatMap(({ channel_id }) =>
      channel_id === null ? [] : [{ medium: 'channel' as const, channelId: channel_id }],
    )
    const rule = rule_id === null ? {} : { rule: { id: rule_id, name: rule_name } }
    const message: Message = { ...messageOf(deps, change, 'resolved'), ...rule, incidentId }
    const key = `${incidentId}:resolved:${change.id}`
    await queueNotifications(tx, told, { key, message, incidentId, ...ownerOf(change) }, nowMs)
  }
}

const ownerOf = ({ org_id, project_id }: Change) => ({ orgId: org_id, projectId: project_id })

type ShownKind = Exclude<IssueChangeKind, 'ignored'>

function messageOf({ publicUrl }: EvaluateDeps, change: Change, kind: ShownKind): Message {
  const { org_slug: org, project_slug: project, first_release, last_release } = change
  const shortId = `${project.toUpperCase()}-${change.short_number}`
  const { filename = '', function: called = '' } = placeIn(change.metadata)
  const facts: (readonly [string, string])[] = [
    ['Issue', shortId],
    ['Level', change.level],
    ['Events', String(change.event_count)],
    ['First release', first_release],
    ['Last release', last_release === first_release ? '' : last_release],
    ['In', [called, filename].filter(Boolean).join(' in ')],
  ]
  return {
    kind,
    headline: headlineOf(kind, `${org}/${project}`),
    title: change.title,
    place: change.culprit,
    level: change.level,
    facts: facts.filter(([, value]) => value !== ''),
    url: `${publicUrl}/${org}/${project}/issues/${shortId}`,
    org,
    project,
    issue: { id: change.issue_id, shortId },
    atMs: change.at_ms,
  }
}

/** `IssueTable.metadata`: written by the pipeline, never by a sender. */
const placeIn = (metadata: Selectable<IssueTable>['metadata']): { filename?: string; function?: string } =>
  JSON.parse(metadata || '{}')
