/** What the form of a rule cannot tell: that its search can be read, and that whom it names is of the organization. */
import type { Grant } from '@sonde/access'
import type { Clock } from '@sonde/base'
import { checkEventSearch, checkMetric, ExploreError, SearchError } from '@sonde/queries'
import { assigneeColumns, readAssignee, type Records } from '@sonde/stores'
import { type Action, type AnyRule, metricOf, searchOf } from './rule.ts'

/** Messages by field; none: the rule can be stored. */
export async function problemsOfRule(
  { records, clock }: { readonly records: Records; readonly clock: Clock },
  grant: Grant<'event:read', 'project'>,
  { kind, rule }: AnyRule,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const problems: Record<string, readonly string[]> = {}
  const { orgId } = grant
  const { actions, ownerId } = rule
  try {
    if (kind === 'issue') checkEventSearch(searchOf(rule))
    else if (kind === 'metric') {
      if (rule.environment !== '' && rule.metric.source === 'outcomes')
        problems['environment'] = ['what was not stored is not counted by environment']
      else await checkMetric({ records, clock }, grant, metricOf(rule))
    }
  } catch (error) {
    if (error instanceof SearchError) problems['search'] = [error.message]
    else if (error instanceof ExploreError)
      problems['measure'] = [[error.message, error.hint].filter(Boolean).join('. ')]
    else throw error
  }
  const unknown = await unknownPlaces(records, orgId, actions)
  if (unknown.length > 0) problems['actions'] = unknown
  const trackerIds = actions.flatMap((action) => (action.type === 'tracker' ? [action.trackerId] : []))
  if (kind !== 'issue' && trackerIds.length > 0)
    problems['actions'] = ['only a rule about issues makes them at a tracker']
  if (kind !== 'issue' && actions.some(({ type }) => type === 'issue_owners'))
    problems['actions'] = ['only a rule about issues tells their owners']
  if (kind === 'issue' && rule.assigned) {
    const gone = await unknownAssignees(records, orgId, rule.assigned.to)
    if (gone.length > 0) problems['assigned'] = gone
  }
  const isForOwner = actions.some(({ type }) => type === 'owner')
  if (ownerId === undefined && isForOwner) problems['actions'] = ['the rule has no owner to tell']
  if (ownerId !== undefined && (await membersOf(records, orgId, [ownerId])).length === 0)
    problems['owner'] = ['the owner is no member of the organization']
  return problems
}

/** Whom actions name that the organization does not have, in words. */
export async function unknownPlaces(
  records: Records,
  orgId: number,
  actions: readonly Action[],
): Promise<readonly string[]> {
  const channelIds = actions.flatMap((action) => (action.type === 'channel' ? [action.channelId] : []))
  const userIds = actions.flatMap((action) => (action.type === 'person' ? [action.userId] : []))
  const teamIds = actions.flatMap((action) => (action.type === 'team' ? [action.teamId] : []))
  const trackerIds = actions.flatMap((action) => (action.type === 'tracker' ? [action.trackerId] : []))
  return [
    ...missing(channelIds, await channelsOf(records, orgId, channelIds)).map(
      (id) => `there is no channel ${id}`,
    ),
    ...missing(trackerIds, await trackersOf(records, orgId, trackerIds)).map(
      (id) => `there is no issue tracker ${id}`,
    ),
    ...missing(teamIds, await teamsOf(records, orgId, teamIds)).map((id) => `there is no team ${id}`),
    ...missing(userIds, await membersOf(records, orgId, userIds)).map((id) => `${id} is no member`),
  ]
}

async function unknownAssignees(records: Records, orgId: number, to: readonly string[]): Promise<string[]> {
  const columns = to.map((text) => assigneeColumns(readAssignee(text) ?? ''))
  const userIds = columns.flatMap(({ assignee_user_id: id }) => id ?? [])
  const teamIds = columns.flatMap(({ assignee_team_id: id }) => id ?? [])
  return [
    ...missing(teamIds, await teamsOf(records, orgId, teamIds)).map((id) => `there is no team ${id}`),
    ...missing(userIds, await membersOf(records, orgId, userIds)).map((id) => `${id} is no member`),
  ]
}

const missing = <Id>(named: readonly Id[], found: readonly Id[]): Id[] =>
  named.filter((id) => !found.includes(id))

async function channelsOf(records: Records, orgId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('notification_channel')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

async function trackersOf(records: Records, orgId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('tracker_connection')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

async function teamsOf(records: Records, orgId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('team')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

async function membersOf(records: Records, orgId: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await records
    .selectFrom('member')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', 'in', ids)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
