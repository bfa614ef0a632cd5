/** Who owns what an event is about, and why: for the screen of an issue, the tester of rules and the public API. */
import type { Grant } from '@sonde/access'
import {
  findOwners,
  type FoundOwner,
  type IssueOwnerKind,
  type Owner,
  parseOwnershipRules,
  createMatcher,
  factsOfEvent,
  readOwnership,
  type Records,
  resolveOwners,
  type RuleProblem,
} from '@sonde/stores'
import type { EventDetail } from '../events/event-by-id.ts'
import type { QueryDeps } from '../query-deps.ts'
import { releaseOfIssue } from '../releases/suspect-commits.ts'
import { type NamedOwner, namedOwners, ownerKey, rulesProblems } from './project-ownership.ts'

type Deps = Pick<QueryDeps, 'records'>
type EventGrant = Grant<'event:read', 'project'>

export type SuggestedOwner = {
  readonly owner: NamedOwner
  readonly kind: IssueOwnerKind
  /** The line that matched, or the commit's hash. */
  readonly reason: string
  /** What the rule found: a path, a module, an address, a tag's value. */
  readonly matched: string
}

/** As if the issue were new with this event: the first would be assigned. Empty where nothing is known. */
export async function ownersOfEvent(
  { records }: Deps,
  grant: EventGrant,
  { event, tags, issueId }: Pick<EventDetail, 'event' | 'tags' | 'issueId'>,
): Promise<readonly SuggestedOwner[]> {
  const ownership = await readOwnership(records, grant.projectId)
  if (!ownership) return []
  const release = await releaseOfIssue({ records }, grant, issueId)
  return named(records, await findOwners(records, ownership, { event, tags, release }))
}

async function named(records: Records, found: readonly FoundOwner[]): Promise<readonly SuggestedOwner[]> {
  const names = await namedOwners(
    records,
    found.map(({ owner }) => owner),
  )
  return found.flatMap(({ owner, kind, reason, matched }) => {
    const known = names.get(ownerKey(owner))
    return known ? [{ owner: known, kind, reason, matched }] : []
  })
}

export type StoredOwner = Omit<SuggestedOwner, 'matched'> & { readonly issueId: number }

/**
 * Whom the last event named that made each issue or brought it back, in order. `issues` come from a query with the same grant;
 * two reads along keys.
 */
export async function issueOwners(
  { records }: Deps,
  { orgId }: Pick<Grant<'event:read', 'org' | 'project'>, 'orgId'>,
  issues: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, readonly StoredOwner[]>> {
  if (issues.length === 0) return new Map()
  const rows = await records
    .selectFrom('issue_owner')
    .innerJoin('issue', 'issue.id', 'issue_owner.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .selectAll('issue_owner')
    .where('project.org_id', '=', orgId)
    .where(
      'issue_owner.issue_id',
      'in',
      issues.map(({ id }) => id),
    )
    .orderBy('issue_owner.issue_id')
    .orderBy('issue_owner.position')
    .execute()
  const ownerOf = (row: (typeof rows)[number]): Owner =>
    row.team_id === null ? { kind: 'user', id: row.user_id ?? '' } : { kind: 'team', id: row.team_id }
  const names = await namedOwners(records, rows.map(ownerOf))
  const found = rows.flatMap((row) => {
    const owner = names.get(ownerKey(ownerOf(row)))
    return owner ? [{ issueId: row.issue_id, owner, kind: row.kind, reason: row.reason }] : []
  })
  return Map.groupBy(found, ({ issueId }) => issueId)
}

export type TriedRules = {
  readonly problems: readonly RuleProblem[]
  readonly events: readonly TriedEvent[]
}
export type TriedEvent = {
  readonly eventId: string
  readonly issueId: number
  readonly title: string
  readonly timestampMs: number
  /** Of the rule that decides. Undefined: none matches. */
  readonly rule: { readonly line: number; readonly text: string; readonly matched: string } | undefined
  /** How many others match. */
  readonly others: number
  /** Who would be assigned. Undefined: nobody. */
  readonly owner: NamedOwner | undefined
}

/** Each of them is unpacked and held against all rules. */
export const TRIED_EVENTS = 30

type TriedRow = {
  readonly eventId: string
  readonly issueId: number
  readonly title: string
  readonly timestampMs: number
  readonly payload: string
  readonly tags: Record<string, string>
}

/** Rules, saved or not, held against the newest event of each of the issues that had one last. */
export async function tryOwnershipRules(
  { records, telemetry, clock }: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: EventGrant,
  raw: string,
): Promise<TriedRules> {
  const { rules } = parseOwnershipRules(raw)
  const matches = createMatcher([{ rules }])
  const known = await resolveOwners(records, { ...grant, names: new Map() }, rules)
  const [problems, names, rows] = await Promise.all([
    rulesProblems(records, grant, raw),
    namedOwners(records, [...known.values()]),
    recentEvents(records, telemetry, grant.projectId, clock.nowMs()),
  ])
  const events = rows.map(({ payload, tags, ...row }): TriedEvent => {
    const found = [...matches(factsOfEvent(JSON.parse(payload) as EventDetail['event'], tags))]
    const deciding = found.find(({ rule }) => rule.owners.some((owner) => known.has(owner)))
    const text = deciding?.rule.owners.find((owner) => known.has(owner))
    const owner = text === undefined ? undefined : known.get(text)
    return {
      ...row,
      rule: deciding && { line: deciding.rule.line, text: deciding.rule.text, matched: deciding.matched },
      others: Math.max(0, found.length - 1),
      owner: owner && names.get(ownerKey(owner)),
    }
  })
  return { problems, events }
}

async function recentEvents(
  records: Records,
  telemetry: QueryDeps['telemetry'],
  projectId: number,
  nowMs: number,
): Promise<readonly TriedRow[]> {
  const issues = await records
    .selectFrom('issue')
    .select(['id', 'last_event_id', 'last_seen_ms'])
    .where('project_id', '=', projectId)
    .where('event_count', '>', 0)
    .where('last_seen_ms', '<=', nowMs + 86_400_000)
    .orderBy('last_seen_ms', 'desc')
    .limit(TRIED_EVENTS)
    .execute()
  if (issues.length === 0) return []
  const rows = await telemetry.query<TriedRow>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId, title, toUnixTimestamp64Milli(timestamp) AS timestampMs,
       payload, tags
     FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= {from:DateTime64(3)} AND timestamp <= {to:DateTime64(3)} AND event_id IN {events:Array(String)}
     ORDER BY timestamp DESC, eventId LIMIT {limit:UInt32}`,
    {
      project: projectId,
      issues: issues.map(({ id }) => id),
      events: issues.map(({ last_event_id: id }) => id),
      from: Math.min(...issues.map(({ last_seen_ms: ms }) => ms)),
      to: Math.max(...issues.map(({ last_seen_ms: ms }) => ms)),
      limit: TRIED_EVENTS,
    },
  )
  return rows
}
