/** Who owns what an event is about, and why: for the screen of an issue, the tester of rules and the public API. */
import type { Grant } from '@sonde/access'
import {
  findOwners,
  type FoundOwner,
  type IssueOwnerKind,
  type Owner,
  parseOwnershipRules,
  createMatcher,
  type EventFacts,
  factsOfEvent,
  readOwnership,
  type Records,
  resolveOwners,
  type RuleProblem,
  seesProject,
} from '@sonde/stores'
import { sql } from 'kysely'
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
    // Who does not see the project any more owns nothing there; the next search for owners leaves them out as well.
    .where(({ or, eb }) =>
      or([
        eb.and([
          eb('issue_owner.user_id', 'is not', null),
          seesProject(sql.ref('issue_owner.user_id'), sql.ref('project.id')),
        ]),
        eb.exists(
          eb
            .selectFrom('team_project')
            .select('team_project.team_id')
            .whereRef('team_project.team_id', '=', 'issue_owner.team_id')
            .whereRef('team_project.project_id', '=', 'project.id'),
        ),
      ]),
    )
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
  /** Of the text that was typed to be tried. Undefined: none was. */
  readonly sample: Decision | undefined
  readonly events: readonly TriedEvent[]
}
export type Decision = {
  /** That decides. Undefined: none matches. */
  readonly rule: { readonly line: number; readonly text: string; readonly matched: string } | undefined
  /** How many others match. */
  readonly others: number
  /** Who would be assigned. Undefined: nobody. */
  readonly owner: NamedOwner | undefined
}
export type TriedEvent = Decision & {
  readonly eventId: string
  /** `SHOP-12`. */
  readonly shortId: string
  readonly title: string
  readonly timestampMs: number
}

/** Each of them is unpacked and held against all rules. */
const TRIED_EVENTS = 30

export type TriedInput = {
  readonly rules: string
  /** A path or an address, as if an event had it alone. Empty: none. */
  readonly sample: string
}

/** Rules, saved or not, held against the newest event of each of the issues that had one last. */
export async function tryOwnershipRules(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: EventGrant,
  { rules: raw, sample }: TriedInput,
): Promise<TriedRules> {
  const { rules } = parseOwnershipRules(raw)
  const matches = createMatcher([{ rules }])
  const known = await resolveOwners(records, { ...grant, names: new Map() }, rules)
  const [problems, names, events] = await Promise.all([
    rulesProblems(records, grant, raw),
    namedOwners(records, [...known.values()]),
    recentEvents({ records, telemetry }, grant),
  ])
  const decide = (facts: EventFacts): Decision => {
    const found = [...matches(facts)]
    const deciding = found.find(({ rule }) => rule.owners.some((owner) => known.has(owner)))
    const text = deciding?.rule.owners.find((owner) => known.has(owner))
    const owner = text === undefined ? undefined : known.get(text)
    return {
      rule: deciding && { line: deciding.rule.line, text: deciding.rule.text, matched: deciding.matched },
      others: Math.max(0, found.length - 1),
      owner: owner && names.get(ownerKey(owner)),
    }
  }
  return {
    problems,
    sample: sample === '' ? undefined : decide(factsOfSample(sample)),
    events: events.map(({ payload, tags, ...row }) => ({
      ...row,
      ...decide(factsOfEvent(JSON.parse(payload) as EventDetail['event'], tags)),
    })),
  }
}

const factsOfSample = (sample: string): EventFacts => ({
  ...factsOfEvent(
    {
      exception: [{ stacktrace: { frames: [{ in_app: true, filename: sample, module: sample }] } }],
    } as never,
    {},
  ),
  url: sample,
})

type StoredEvent = Pick<TriedEvent, 'eventId' | 'shortId' | 'title' | 'timestampMs'> & {
  readonly payload: string
  readonly tags: Record<string, string>
}

/** Along the key of `events`: a short range of each of at most thirty issues. */
async function recentEvents(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  { projectId, projectSlug }: EventGrant,
): Promise<readonly StoredEvent[]> {
  const issues = await records
    .selectFrom('issue')
    .select(['id', 'short_number', 'last_event_id', 'last_seen_ms'])
    .where('project_id', '=', projectId)
    .where('event_count', '>', 0)
    .orderBy('last_seen_ms', 'desc')
    .limit(TRIED_EVENTS)
    .execute()
  if (issues.length === 0) return []
  const seen = issues.map(({ last_seen_ms: ms }) => ms)
  const rows = await telemetry.query<Omit<StoredEvent, 'shortId'> & { issueId: number }>(
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
      from: Math.min(...seen),
      to: Math.max(...seen),
      limit: TRIED_EVENTS,
    },
  )
  const numbers = new Map(issues.map(({ id, short_number: number }) => [id, number]))
  return rows.map(({ issueId, ...row }) => ({
    ...row,
    shortId: `${projectSlug.toUpperCase()}-${numbers.get(issueId) ?? 0}`,
  }))
}
