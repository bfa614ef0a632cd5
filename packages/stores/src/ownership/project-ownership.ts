/** The ownership of a project as it is in force: rules, files and who is meant by the names in them. */
import { createBoundedMap } from '@sonde/base'
import type { AutoAssignment } from '../records/ownership-tables.ts'
import type { Records } from '../records/schema.ts'
import { createMatcher, type Matcher } from './match-rules.ts'
import { parseCodeowners } from './parse-codeowners.ts'
import { parseOwnershipRules } from './parse-rules.ts'

export type ProjectOwnership = {
  readonly projectId: number
  readonly orgId: number
  readonly autoAssignment: AutoAssignment
  /** Of what no rule matches, all members of the project are owners. */
  readonly isForAll: boolean
  readonly matches: Matcher
  /** Of names in CODEOWNERS files, in lower case. */
  readonly names: ReadonlyMap<string, Owner>
  readonly hasRules: boolean
}

/** A member or a team, as it lies in the columns of an issue. */
export type Owner =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'team'; readonly id: number }

export const DEFAULT_OWNERSHIP = { rules: '', autoAssignment: 'owners', isForAll: true } as const

// A matcher of the largest file takes some megabytes.
const MAX_KEPT = 50
type Kept = Pick<ProjectOwnership, 'matches' | 'names' | 'hasRules'> & { readonly version: number }
type Memory = { get(key: number): Kept | undefined; set(key: number, value: Kept): void }
const memories = new WeakMap<object, Memory>()

function memoryOf(records: object): Memory {
  const memory = memories.get(records) ?? createBoundedMap<number, Kept>(MAX_KEPT)
  memories.set(records, memory)
  return memory
}

/**
 * Undefined: the project is gone. `owner`: the records that are open, where `records` may be a transaction on them: what was
 * parsed is kept with those, until somebody changes it.
 */
export async function readOwnership(
  records: Records,
  projectId: number,
  owner: object = records,
): Promise<ProjectOwnership | undefined> {
  const row = await records
    .selectFrom('project')
    .leftJoin('project_ownership as own', 'own.project_id', 'project.id')
    .select(['project.org_id', 'own.rules', 'own.auto_assignment', 'own.is_for_all', 'own.version'])
    .where('project.id', '=', projectId)
    .executeTakeFirst()
  if (!row) return undefined
  const memory = memoryOf(owner)
  const version = row.version ?? 0
  const known = memory.get(projectId)
  const kept = known?.version === version ? known : await parse(records, projectId, row.rules ?? '', version)
  if (kept !== known) memory.set(projectId, kept)
  return {
    projectId,
    orgId: row.org_id,
    autoAssignment: row.auto_assignment ?? DEFAULT_OWNERSHIP.autoAssignment,
    isForAll: (row.is_for_all ?? 1) === 1,
    matches: kept.matches,
    names: kept.names,
    hasRules: kept.hasRules,
  }
}

async function parse(records: Records, projectId: number, rules: string, version: number): Promise<Kept> {
  // No version: nobody has saved anything, so there are no files either.
  const files =
    version === 0
      ? []
      : await records
          .selectFrom('codeowners_file')
          .select(['content', 'repository', 'stack_root', 'source_root'])
          .where('project_id', '=', projectId)
          .orderBy('id')
          .execute()
  const names = files.length === 0 ? new Map<string, Owner>() : await readOwnerNames(records, projectId)
  const sources = files.map(({ content, repository, stack_root: stackRoot, source_root: sourceRoot }) => ({
    rules: parseCodeowners(content).rules,
    mapping: { repository, stackRoot, sourceRoot },
  }))
  const own = { rules: parseOwnershipRules(rules).rules }
  const hasRules = [...sources, own].some((source) => source.rules.length > 0)
  return { version, names, hasRules, matches: createMatcher([...sources, own]) }
}

/** Name in lower case → who is meant. */
export async function readOwnerNames(
  records: Records,
  projectId: number,
): Promise<ReadonlyMap<string, Owner>> {
  const rows = await records
    .selectFrom('codeowners_owner')
    .select(['name', 'user_id', 'team_id'])
    .where('project_id', '=', projectId)
    .execute()
  return new Map(
    rows.flatMap(({ name, user_id: user, team_id: team }): (readonly [string, Owner])[] => {
      if (team !== null) return [[name, { kind: 'team', id: team }]]
      return user === null ? [] : [[name, { kind: 'user', id: user }]]
    }),
  )
}
