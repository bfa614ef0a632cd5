/** Who owns what an event is about: by the rules that it matches, and by the commits that probably caused it. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { IssueOwnerKind } from '../records/ownership-tables.ts'
import { peopleSee } from '../records/project-access.ts'
import type { Records } from '../records/schema.ts'
import { factsOfEvent } from './event-facts.ts'
import type { RuleMatch } from './match-rules.ts'
import type { OwnershipRule } from './parse-rules.ts'
import type { Owner, ProjectOwnership } from './project-ownership.ts'
import { findSuspectCommits, type SuspectCommit } from './suspect-commits.ts'

export type FoundOwner = {
  readonly owner: Owner
  readonly kind: IssueOwnerKind
  /** The line that matched, or the commit's hash. */
  readonly reason: string
  /** What the rule found, or the file that the commit changed. */
  readonly matched: string
  /** Of a rule. */
  readonly line: number | undefined
}

export type OwnersInput = {
  readonly event: NormalizedEvent
  readonly tags: Readonly<Record<string, string>>
  /** That brought the issue, or brought it back; empty: none is known. */
  readonly release: string
}

/** More help nobody to decide. */
const MAX_OWNERS = 10
/** An event of a catch-all rule may match thousands. */
const MAX_MATCHES = 50

/**
 * The first is who is to be assigned: by the project's setting the author of the nearest suspect commit or the first owner of
 * the last rule that matches. Each person and team once. People who left and teams that do not work on the project any more
 * are passed over, and a rule whose owners all are is none.
 */
export async function findOwners(
  records: Records,
  ownership: ProjectOwnership,
  input: OwnersInput,
): Promise<readonly FoundOwner[]> {
  const byRules = await ownersByRules(records, ownership, input)
  const byCommits = await ownersByCommits(records, ownership, input)
  const all =
    ownership.autoAssignment === 'suspect_commits' ? [...byCommits, ...byRules] : [...byRules, ...byCommits]
  const seen = new Set<string>()
  return all.filter(({ owner }) => !seen.has(keyOf(owner)) && seen.add(keyOf(owner))).slice(0, MAX_OWNERS)
}

const keyOf = ({ kind, id }: Owner): string => `${kind}:${id}`

async function ownersByRules(
  records: Records,
  ownership: ProjectOwnership,
  { event, tags }: OwnersInput,
): Promise<readonly FoundOwner[]> {
  if (!ownership.hasRules) return []
  const matches: RuleMatch[] = []
  for (const match of ownership.matches(factsOfEvent(event, tags))) {
    matches.push(match)
    if (matches.length === MAX_MATCHES) break
  }
  const known = await resolveOwners(
    records,
    ownership,
    matches.map(({ rule }) => rule),
  )
  const found: FoundOwner[] = []
  for (const { rule, mapping, matched } of matches) {
    const kind = mapping ? 'codeowners' : 'ownership_rule'
    // Whoever wrote the file says that nobody owns this, whatever stands above.
    if (rule.owners.length === 0 && mapping) break
    for (const text of rule.owners) {
      const owner = known.get(text)
      if (owner) found.push({ owner, kind, reason: rule.text, matched, line: rule.line })
    }
  }
  return found
}

/** As they stand in rules → who they are. Whoever is not in it is nobody who can work on the project. */
export async function resolveOwners(
  records: Records,
  { projectId, names }: Pick<ProjectOwnership, 'projectId' | 'names'>,
  rules: readonly Pick<OwnershipRule, 'owners'>[],
): Promise<ReadonlyMap<string, Owner>> {
  const texts = [...new Set(rules.flatMap(({ owners }) => owners))]
  if (texts.length === 0) return new Map()
  const mapped = texts.flatMap((text) => {
    const owner = names.get(text)
    return owner ? [[text, owner] as const] : []
  })
  const members = await membersOf(records, projectId, {
    emails: texts.filter((text) => !text.startsWith('#') && !text.startsWith('@')),
    ids: mapped.flatMap(([, owner]) => (owner.kind === 'user' ? [owner.id] : [])),
  })
  const teams = await teamsOf(records, projectId)
  const found = new Map<string, Owner>()
  for (const [text, owner] of mapped)
    if (owner.kind === 'user' ? members.ids.has(owner.id) : teams.ids.has(owner.id)) found.set(text, owner)
  for (const text of texts) {
    const id = text.startsWith('#') ? teams.bySlug.get(text.slice(1)) : undefined
    const userId = members.byEmail.get(text)
    if (id !== undefined) found.set(text, { kind: 'team', id })
    else if (userId !== undefined) found.set(text, { kind: 'user', id: userId })
  }
  return found
}

// SQLite takes 32,766 parameters in one statement.
const MAX_LIST = 5_000

/** Members who see the project: nobody else is told of it, or given anything in it. */
async function membersOf(
  records: Records,
  projectId: number,
  { emails, ids }: { readonly emails: readonly string[]; readonly ids: readonly string[] },
): Promise<{ ids: ReadonlySet<string>; byEmail: ReadonlyMap<string, string> }> {
  const wanted = [...new Set([...emails, ...ids])]
  const rows: { id: string; email: string }[] = []
  for (let at = 0; at < wanted.length; at += MAX_LIST) {
    const part = wanted.slice(at, at + MAX_LIST)
    rows.push(
      ...(await records
        .selectFrom('user')
        .select(['user.id', 'user.email'])
        .where(peopleSee(projectId))
        .where('user.disabledMs', 'is', null)
        .where((eb) => eb.or([eb('user.email', 'in', part), eb('user.id', 'in', part)]))
        .execute()),
    )
  }
  return {
    ids: new Set(rows.map(({ id }) => id)),
    byEmail: new Map(rows.map(({ id, email }) => [email.toLowerCase(), id])),
  }
}

async function teamsOf(
  records: Records,
  projectId: number,
): Promise<{ ids: ReadonlySet<number>; bySlug: ReadonlyMap<string, number> }> {
  const rows = await records
    .selectFrom('team_project')
    .innerJoin('team', 'team.id', 'team_project.team_id')
    .select(['team.id', 'team.slug'])
    .where('team_project.project_id', '=', projectId)
    .execute()
  return {
    ids: new Set(rows.map(({ id }) => id)),
    bySlug: new Map(rows.map(({ id, slug }) => [slug, id])),
  }
}

async function ownersByCommits(
  records: Records,
  { orgId, projectId }: ProjectOwnership,
  { event, release }: OwnersInput,
): Promise<readonly FoundOwner[]> {
  if (release === '') return []
  const { commits } = await findSuspectCommits(records, { orgId, projectId, release, event, limit: 3 })
  const members = await membersOf(records, projectId, { emails: commits.map(addressOf), ids: [] })
  return commits.flatMap((commit) => {
    const id = members.byEmail.get(addressOf(commit))
    const { sha: reason, path: matched } = commit
    return id === undefined
      ? []
      : [
          {
            owner: { kind: 'user', id } as const,
            kind: 'suspect_commit' as const,
            reason,
            matched,
            line: undefined,
          },
        ]
  })
}

const addressOf = ({ authorEmail }: SuspectCommit): string => authorEmail.toLowerCase()
