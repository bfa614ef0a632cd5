/**
 * Looks at what changed about issues, once at each change: opens incidents and writes notifications for the rules that fire.
 * All that one batch of changes leads to is written in the transaction that marks it as looked at, so a crash neither loses
 * nor repeats any of it.
 */
import type { Clock, Logger } from '@sonde/base'
import { eventPlaces, eventsThatMatch, SearchError } from '@sonde/queries'
import { type AlertedChange, type Records, type Telemetry, writeTransaction } from '@sonde/stores'
import type { Message } from '../messages/message.ts'
import { changesOf, isOfAssignee, readIssueRule, searchOf } from '../rules/rule.ts'
import { isWithin } from '../rules/within-schedule.ts'
import {
  type FiringRule,
  type IssueDeps,
  openOrRepeat,
  resolveIncident,
  selectIssueFacts,
} from './incidents.ts'

export type EvaluateDeps = IssueDeps & {
  readonly records: Records
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly logger: Logger
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
  const places = await placesOf(
    deps,
    changes.filter(({ id }) => fired.has(id)),
  )
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
      else
        for (const rule of fired.get(change.id) ?? []) {
          const cause = { key: String(change.id), kind, eventId: eventOf(change), atMs: change.at_ms }
          await openOrRepeat(tx, deps, change, rule, cause, nowMs, places.get(change.id))
        }
    }
    return looked.length
  })
}

type Change = Awaited<ReturnType<typeof readChanges>>[number]

const readChanges = (records: Records) =>
  selectIssueFacts(records)
    .innerJoin('issue_change', 'issue_change.issue_id', 'issue.id')
    .select(['issue_change.id', 'issue_change.kind', 'issue_change.event_id', 'issue_change.actor'])
    .select('issue_change.at_ms')
    .where('issue_change.is_pending', '=', 1)
    .$narrowType<{ kind: AlertedChange }>()
    .orderBy('issue_change.id')
    .limit(CHANGES_AT_ONCE)
    .execute()

/** Change → the rules that fire for it. Reads telemetry, so it stands before the transaction. */
async function firedBy(
  { records, telemetry, clock, logger }: EvaluateDeps,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, readonly FiringRule[]>> {
  const fired = new Map<number, FiringRule[]>()
  for (const [projectId, own] of Map.groupBy(changes, (change) => change.project_id)) {
    for (const rule of await rulesOf(records, projectId, clock.nowMs(), logger)) {
      const wanted: readonly string[] = changesOf(rule.rule)
      const triggered = own.filter(
        (change) => wanted.includes(change.kind) && isOfInterest(change) && isOfAssignee(rule.rule, change),
      )
      if (triggered.length === 0) continue
      const matching = await matchingOf(telemetry, logger, projectId, rule, triggered)
      for (const { id } of matching) fired.set(id, [...(fired.get(id) ?? []), rule])
    }
  }
  return fired
}

/** Change → where the issue was seen first, for the message. */
async function placesOf(
  { telemetry }: EvaluateDeps,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, Message['facts']>> {
  const found = new Map<number, Message['facts']>()
  const first = changes.filter(({ kind }) => kind.startsWith(FIRST_SEEN))
  for (const [projectId, own] of Map.groupBy(first, (change) => change.project_id)) {
    const events = own.map((change) => ({ issueId: change.issue_id, eventId: eventOf(change) }))
    const places = await eventPlaces({ telemetry }, projectId, events)
    for (const change of own) {
      const { release = '', environment = '' } = places.get(eventOf(change)) ?? {}
      found.set(
        change.id,
        change.kind === 'first_seen_in_release' ? [['Release', release]] : [['Environment', environment]],
      )
    }
  }
  return found
}

const FIRST_SEEN = 'first_seen_in_'

/** What was resolved or archived may well be seen in another release: an old one, or one that nobody wants to hear of. */
const isOfInterest = ({ kind, status }: Change): boolean =>
  status === 'unresolved' || !kind.startsWith(FIRST_SEEN)

async function rulesOf(
  records: Records,
  projectId: number,
  nowMs: number,
  logger: Logger,
): Promise<FiringRule[]> {
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
      const rule = readIssueRule(value)
      return isWithin(rule.schedule, nowMs) ? [{ id, name, rule }] : []
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
  { id, rule }: FiringRule,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const search = searchOf(rule)
  if (search === '') return changes
  const events = changes.map((change) => ({ issueId: change.issue_id, eventId: eventOf(change) }))
  try {
    const found = await eventsThatMatch({ telemetry }, projectId, events, search)
    return changes.filter((change) => found.has(eventOf(change)))
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    logger.error({ err: error, rule: id }, 'the search of an alert rule cannot be read, so it does not fire')
    return []
  }
}

/** A person reopened it: then its newest event speaks for it. */
const eventOf = ({ event_id, last_event_id }: Change): string => event_id || last_event_id

/** Incidents end with their issue; that it was ignored is nothing to tell. */
async function endIncidents(tx: Records, deps: EvaluateDeps, change: Change, nowMs: number): Promise<void> {
  const open = await tx
    .selectFrom('incident')
    .select('id')
    .where('issue_id', '=', change.issue_id)
    .where('resolved_ms', 'is', null)
    .execute()
  const end = { by: change.actor || 'rule', isTold: change.kind === 'resolved' }
  for (const { id } of open) await resolveIncident(tx, deps, id, nowMs, end)
}
