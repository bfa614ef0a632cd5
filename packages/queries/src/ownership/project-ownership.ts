/** The ownership of a project as its screen and the public API show it. */
import type { Grant } from '@sonde/access'
import {
  type AutoAssignment,
  DEFAULT_OWNERSHIP,
  type Owner,
  parseCodeowners,
  parseOwnershipRules,
  peopleSee,
  readOwnerNames,
  type Records,
  resolveOwners,
  type RuleProblem,
} from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'project:read', 'project'>

export type OwnershipView = {
  readonly rules: string
  readonly autoAssignment: AutoAssignment
  /** Of what no rule matches, all members of the project are told. */
  readonly isForAll: boolean
  /** Lines that say nothing any more: their owners left, or the team does not work on the project. */
  readonly problems: readonly RuleProblem[]
  /** Undefined: nobody has changed them yet. */
  readonly changed: { readonly by: string; readonly atMs: number } | undefined
  /** Of open issues: how far their owners are found again since the last change. Undefined: there was none. */
  readonly run: OwnershipRunView | undefined
}

export type OwnershipRunView = {
  /** Also those that nobody was ever assigned to are assigned. */
  readonly isAssigning: boolean
  /** Undefined: not begun. */
  readonly total: number | undefined
  readonly seen: number
  readonly changed: number
  readonly assigned: number
  readonly finishedMs: number | undefined
  /** Why it goes on later; empty: no trouble. */
  readonly trouble: string
}

/** Reads one row and the owners that it names. */
export async function projectOwnership({ records }: Deps, grant: ReadGrant): Promise<OwnershipView> {
  const row = await records
    .selectFrom('project_ownership')
    .selectAll()
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  const raw = row?.rules ?? DEFAULT_OWNERSHIP.rules
  return {
    rules: raw,
    autoAssignment: row?.auto_assignment ?? DEFAULT_OWNERSHIP.autoAssignment,
    isForAll: (row?.is_for_all ?? 1) === 1,
    problems: await rulesProblems(records, grant, raw),
    changed: row && row.updated_by !== '' ? await changeOf(records, row) : undefined,
    run: await runOf(records, grant.projectId),
  }
}

async function runOf(records: Records, projectId: number): Promise<OwnershipRunView | undefined> {
  const row = await records
    .selectFrom('ownership_run')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return (
    row && {
      isAssigning: row.is_assigning === 1,
      total: row.total_count ?? undefined,
      seen: row.seen_count,
      changed: row.changed_count,
      assigned: row.assigned_count,
      finishedMs: row.finished_ms ?? undefined,
      trouble: row.trouble,
    }
  )
}

async function changeOf(
  records: Records,
  { updated_by: by, updated_ms: atMs }: { readonly updated_by: string; readonly updated_ms: number },
): Promise<{ readonly by: string; readonly atMs: number }> {
  return { by: (await actorNames(records, [by])).get(by) ?? '', atMs }
}

/** What is wrong with rules, saved or not. */
export async function rulesProblems(
  records: Records,
  grant: Pick<ReadGrant, 'orgId' | 'projectId'>,
  raw: string,
): Promise<readonly RuleProblem[]> {
  const { rules, problems } = parseOwnershipRules(raw)
  const known = await resolveOwners(records, { ...grant, names: new Map() }, rules)
  const strangers = rules.flatMap(({ line, text, owners }) =>
    owners.flatMap((owner) =>
      known.has(owner) ? [] : [{ line, text, reason: `${owner} owns nothing here` }],
    ),
  )
  return [...problems, ...strangers].toSorted((a, b) => a.line - b.line)
}

/** Who can own anything here, as rules write them: teams that work on the project, and who sees it. */
export async function ownerTexts({ records }: Deps, grant: ReadGrant): Promise<readonly string[]> {
  const [teams, people] = await Promise.all([
    records
      .selectFrom('team_project')
      .innerJoin('team', 'team.id', 'team_project.team_id')
      .select('team.slug')
      .where('team_project.project_id', '=', grant.projectId)
      .orderBy('team.slug')
      .execute(),
    records
      .selectFrom('user')
      .select('user.email')
      .where(peopleSee(grant.projectId))
      .where('user.disabledMs', 'is', null)
      .orderBy('user.email')
      .execute(),
  ])
  return [...teams.map(({ slug }) => `#${slug}`), ...people.map(({ email }) => email)]
}

export type CodeownersView = {
  readonly id: number
  readonly repository: string
  readonly content: string
  readonly stackRoot: string
  readonly sourceRoot: string
  readonly createdMs: number
  readonly changed: { readonly by: string; readonly atMs: number }
  readonly ruleCount: number
  readonly problems: readonly RuleProblem[]
  /** Names in it by which nobody is meant yet. Addresses that are no member's are among them. */
  readonly unknown: readonly string[]
}

/** At most ten files. */
export async function codeownersFiles(
  { records }: Deps,
  grant: ReadGrant,
): Promise<readonly CodeownersView[]> {
  const rows = await records
    .selectFrom('codeowners_file')
    .selectAll()
    .where('project_id', '=', grant.projectId)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const names = await readOwnerNames(records, grant.projectId)
  const people = await actorNames(
    records,
    rows.map(({ updated_by: by }) => by),
  )
  return Promise.all(
    rows.map(async (row) => {
      const { rules, problems } = parseCodeowners(row.content)
      const known = await resolveOwners(records, { ...grant, names }, rules)
      const named = [...new Set(rules.flatMap(({ owners }) => owners))]
      return {
        id: row.id,
        repository: row.repository,
        content: row.content,
        stackRoot: row.stack_root,
        sourceRoot: row.source_root,
        createdMs: row.created_ms,
        changed: { by: people.get(row.updated_by) ?? '', atMs: row.updated_ms },
        ruleCount: rules.length,
        problems,
        unknown: named.filter((name) => !known.has(name)),
      }
    }),
  )
}

/** A person or a team with what they are called. */
export type NamedOwner = { readonly name: string; readonly text: string } & Owner

/** Names in files with who is meant by them, by name. */
export async function codeownersNames(
  { records }: Deps,
  grant: ReadGrant,
): Promise<readonly { readonly name: string; readonly owner: NamedOwner }[]> {
  const names = await readOwnerNames(records, grant.projectId)
  const owners = await namedOwners(records, [...names.values()])
  return [...names]
    .flatMap(([name, owner]) => {
      const named = owners.get(ownerKey(owner))
      return named ? [{ name, owner: named }] : []
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export const ownerKey = ({ kind, id }: Owner): string => `${kind}:${id}`

/** `user:ID` and `team:ID` → what they are called, and how rules write them. */
export async function namedOwners(
  records: Records,
  owners: readonly Owner[],
): Promise<ReadonlyMap<string, NamedOwner>> {
  const userIds = owners.flatMap((owner) => (owner.kind === 'user' ? [owner.id] : []))
  const teamIds = owners.flatMap((owner) => (owner.kind === 'team' ? [owner.id] : []))
  const [users, teams] = await Promise.all([
    userIds.length === 0
      ? []
      : records.selectFrom('user').select(['id', 'name', 'email']).where('id', 'in', userIds).execute(),
    teamIds.length === 0
      ? []
      : records.selectFrom('team').select(['id', 'name', 'slug']).where('id', 'in', teamIds).execute(),
  ])
  const named: readonly NamedOwner[] = [
    ...users.map(({ id, name, email }) => ({ kind: 'user' as const, id, name: name || email, text: email })),
    ...teams.map(({ id, name, slug }) => ({
      kind: 'team' as const,
      id,
      name: name || slug,
      text: `#${slug}`,
    })),
  ]
  return new Map(named.map((owner) => [ownerKey(owner), owner]))
}
