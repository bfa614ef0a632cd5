/** The ownership rules of a project, its CODEOWNERS files and who is meant by the names in them. */
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  AUTO_ASSIGNMENTS,
  type AutoAssignment,
  DEFAULT_OWNERSHIP,
  OWNERSHIP_LIMITS,
  parseOwnershipRules,
  type Records,
  requestOwnershipRun,
  resolveOwners,
  writeTransaction,
} from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput, textField } from '../fields.ts'

type WriteGrant = Grant<'project:write', 'project'>

const { rulesChars, fileChars } = OWNERSHIP_LIMITS
const RULES = z.object({
  rules: z.string().max(rulesChars, `have at most ${rulesChars} characters`).optional(),
  autoAssignment: z.enum(AUTO_ASSIGNMENTS, { error: `is one of ${AUTO_ASSIGNMENTS.join(', ')}` }).optional(),
  isForAll: z.boolean().optional(),
})

export type OwnershipInput = {
  /** One a line, as in https://docs.sentry.io/product/issues/ownership-rules/ */
  readonly rules?: string | undefined
  readonly autoAssignment?: AutoAssignment | undefined
  /** Of what no rule matches, all members of the project are told. */
  readonly isForAll?: boolean | undefined
}

/**
 * What is absent stays. Throws `InvalidInput` with each line that is no rule, or that names somebody who cannot own anything
 * here: nothing is changed then.
 */
export async function updateOwnership(
  deps: CommandDeps,
  grant: WriteGrant,
  input: OwnershipInput,
): Promise<void> {
  const operation = 'change the ownership rules'
  const { rules: raw, ...rest } = readInput(operation, RULES, input)
  const rules = raw?.replaceAll('\r\n', '\n')
  await writeTransaction(deps.records, async (tx) => {
    const problems = rules === undefined ? [] : await problemsOf(tx, grant, rules)
    if (problems.length > 0) throw new InvalidInput(operation, { rules: problems.slice(0, MAX_SAID) })
    const changed = {
      ...(rules !== undefined && { rules }),
      ...(rest.autoAssignment !== undefined && { auto_assignment: rest.autoAssignment }),
      ...(rest.isForAll !== undefined && { is_for_all: rest.isForAll ? 1 : 0 }),
    }
    const before = await bumpVersion(deps, tx, grant, changed)
    await audit(deps, tx, grant, 'project.ownership', {
      before,
      after: { ...rest, ...(rules !== undefined && { rules }) },
    })
  })
  deps.onOwnership?.()
}

/**
 * Assigns open issues that nobody was ever assigned to, as if they were new: a job does it, newest first. Throws
 * `InvalidInput` where the project assigns nobody.
 */
export async function applyOwnership(deps: CommandDeps, grant: WriteGrant): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const row = await tx
      .selectFrom('project_ownership')
      .select('auto_assignment')
      .where('project_id', '=', grant.projectId)
      .executeTakeFirst()
    if (row?.auto_assignment === 'off')
      throw new InvalidInput('assign open issues', {
        autoAssignment: ['is off: choose above to whom issues are assigned, and save'],
      })
    await requestRun(deps, tx, grant, true)
    await audit(deps, tx, grant, 'project.ownership_applied', {})
  })
  deps.onOwnership?.()
}

/** What lists, searches and alert rules know of open issues follows. */
const requestRun = (
  { clock }: Pick<CommandDeps, 'clock'>,
  tx: Records,
  { projectId, viewer }: WriteGrant,
  isAssigning: boolean,
): Promise<void> => requestOwnershipRun(tx, { projectId, actor: actorOf(viewer), isAssigning }, clock.nowMs())

/** Nobody reads more at once. */
const MAX_SAID = 20

/** Each as `line 3: what is wrong`. */
async function problemsOf(tx: Records, grant: WriteGrant, raw: string): Promise<string[]> {
  const { rules, problems } = parseOwnershipRules(raw)
  const known = await resolveOwners(tx, { ...grant, names: new Map() }, rules)
  const strangers = rules.flatMap(({ line, owners }) =>
    owners.flatMap((owner) => (known.has(owner) ? [] : [{ line, reason: strangerText(owner) }])),
  )
  return [...problems, ...strangers]
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, reason }) => `line ${line}: ${reason}`)
}

const strangerText = (owner: string): string =>
  owner.startsWith('#')
    ? `${owner} is no team of this project. Add the team to the project first`
    : `${owner} is no member of the organization`

const FILE = z.object({
  id: z.int().positive().optional(),
  repository: z.string().trim().min(1, 'is needed, as owner/name').max(200, 'has at most 200 characters'),
  content: z.string().min(1, 'is empty').max(fileChars, `has at most ${fileChars} characters`),
  stackRoot: textField(300).default(''),
  sourceRoot: textField(300).default(''),
})

export type CodeownersInput = {
  /** Of the one that is replaced; absent: a new one, or that of the same repository. */
  readonly id?: number | undefined
  /** `acme/shop`. */
  readonly repository: string
  readonly content: string
  /** What paths in stack traces begin with, and what they begin with in the repository instead. */
  readonly stackRoot?: string | undefined
  readonly sourceRoot?: string | undefined
}

/** Many enough for every repository of a monorepo's neighbours; each new issue is held against all. */
const MAX_FILES = 10

/** Lines that are no rule are left out, and shown beside the file. Throws `InvalidInput`, `not-found`. */
export async function saveCodeowners(
  deps: CommandDeps,
  grant: WriteGrant,
  input: CodeownersInput,
): Promise<{ readonly id: number }> {
  const operation = 'save a CODEOWNERS file'
  const { id, content, repository, stackRoot, sourceRoot } = readInput(operation, FILE, input)
  const atMs = deps.clock.nowMs()
  const saved = await writeTransaction(deps.records, async (tx) => {
    const files = await tx
      .selectFrom('codeowners_file')
      .select(['id', 'repository'])
      .where('project_id', '=', grant.projectId)
      .execute()
    const same = files.find((file) => file.repository === repository)
    const known = id === undefined ? same : files.find((file) => file.id === id)
    if (id !== undefined && !known) throw gone(operation)
    if (same && same.id !== known?.id)
      throw new InvalidInput(operation, { repository: ['has a file already'] })
    if (!known && files.length >= MAX_FILES)
      throw new InvalidInput(operation, { repository: [`a project has at most ${MAX_FILES} files`] })
    const values = {
      repository,
      content: content.replaceAll('\r\n', '\n'),
      stack_root: stackRoot,
      source_root: sourceRoot,
      updated_ms: atMs,
      updated_by: actorOf(grant.viewer),
    }
    const { id: fileId } = known
      ? await tx
          .updateTable('codeowners_file')
          .set(values)
          .where('id', '=', known.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('codeowners_file')
          .values({ project_id: grant.projectId, created_ms: atMs, ...values })
          .returning('id')
          .executeTakeFirstOrThrow()
    await bumpVersion(deps, tx, grant)
    await audit(deps, tx, grant, known ? 'codeowners.update' : 'codeowners.create', {
      repository,
      characters: content.length,
      stackRoot,
      sourceRoot,
    })
    return { id: fileId }
  })
  deps.onOwnership?.()
  return saved
}

/** Throws `not-found`. */
export async function deleteCodeowners(
  deps: CommandDeps,
  grant: WriteGrant,
  { id }: { readonly id: number },
): Promise<void> {
  await writeTransaction(deps.records, async (tx) => {
    const deleted = await tx
      .deleteFrom('codeowners_file')
      .where('id', '=', id)
      .where('project_id', '=', grant.projectId)
      .returning('repository')
      .executeTakeFirst()
    if (!deleted) throw gone('delete a CODEOWNERS file')
    await bumpVersion(deps, tx, grant)
    await audit(deps, tx, grant, 'codeowners.delete', { repository: deleted.repository })
  })
  deps.onOwnership?.()
}

const OWNER = z.object({
  name: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^@\S{1,199}$/, 'is @user or @organization/team'),
  owner: z.string().trim().max(330, 'is too long'),
})
export type CodeownersOwnerInput = {
  /** As it stands in files: `@ada`, `@acme/web`. */
  readonly name: string
  /** The address of a member, or `#slug` of a team of the project. Empty: nobody. */
  readonly owner: string
}

/** A project maps so many names. */
const MAX_NAMES = 1_000

/** Who is meant by a name in the project's files. Throws `InvalidInput`. */
export async function setCodeownersOwner(
  deps: CommandDeps,
  grant: WriteGrant,
  input: CodeownersOwnerInput,
): Promise<void> {
  const operation = 'say who is meant in CODEOWNERS'
  const { name, owner: text } = readInput(operation, OWNER, input)
  await writeTransaction(deps.records, async (tx) => {
    const wanted = text.toLowerCase()
    const known = await resolveOwners(tx, { ...grant, names: new Map() }, [
      { owners: wanted === '' ? [] : [wanted] },
    ])
    const owner = known.get(wanted)
    if (wanted !== '' && !owner) throw new InvalidInput(operation, { owner: [strangerText(wanted)] })
    const values = {
      user_id: owner?.kind === 'user' ? owner.id : null,
      team_id: owner?.kind === 'team' ? owner.id : null,
    }
    const { projectId } = grant
    if (!owner)
      await tx
        .deleteFrom('codeowners_owner')
        .where('project_id', '=', projectId)
        .where('name', '=', name)
        .execute()
    else {
      const { count } = await tx
        .selectFrom('codeowners_owner')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      if (count >= MAX_NAMES)
        throw new InvalidInput(operation, { name: [`a project maps at most ${MAX_NAMES} names`] })
      await tx
        .insertInto('codeowners_owner')
        .values({ project_id: projectId, name, ...values })
        .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet(values))
        .execute()
    }
    await bumpVersion(deps, tx, grant)
    await audit(deps, tx, grant, 'codeowners.owner', { name, owner: wanted })
  })
  deps.onOwnership?.()
}

type Columns = { rules?: string; auto_assignment?: AutoAssignment; is_for_all?: number }

/** Returns what was there before: of `changed` it is the only way back. */
async function bumpVersion(
  deps: Pick<CommandDeps, 'clock'>,
  tx: Records,
  grant: WriteGrant,
  changed: Columns = {},
): Promise<OwnershipInput> {
  const { projectId, viewer } = grant
  const row = await tx
    .selectFrom('project_ownership')
    .select(['rules', 'auto_assignment', 'is_for_all', 'version', 'updated_ms', 'updated_by'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const isOfRules = Object.keys(changed).length > 0
  const values = {
    rules: row?.rules ?? DEFAULT_OWNERSHIP.rules,
    auto_assignment: row?.auto_assignment ?? DEFAULT_OWNERSHIP.autoAssignment,
    is_for_all: row?.is_for_all ?? 1,
    ...changed,
    version: (row?.version ?? 0) + 1,
    // Files say themselves who changed them last.
    updated_ms: isOfRules ? deps.clock.nowMs() : (row?.updated_ms ?? 0),
    updated_by: isOfRules ? actorOf(viewer) : (row?.updated_by ?? ''),
  }
  await tx
    .insertInto('project_ownership')
    .values({ project_id: projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
  const owns = (of: Columns): string =>
    `${of.auto_assignment ?? DEFAULT_OWNERSHIP.autoAssignment}\0${of.rules ?? ''}`
  if (!isOfRules || owns(values) !== owns(row ?? {})) await requestRun(deps, tx, grant, false)
  return {
    rules: row?.rules ?? DEFAULT_OWNERSHIP.rules,
    autoAssignment: row?.auto_assignment ?? DEFAULT_OWNERSHIP.autoAssignment,
    isForAll: (row?.is_for_all ?? 1) === 1,
  }
}

type Action =
  | 'project.ownership'
  | 'project.ownership_applied'
  | 'codeowners.create'
  | 'codeowners.update'
  | 'codeowners.delete'
  | 'codeowners.owner'

const audit = (
  { clock }: Pick<CommandDeps, 'clock'>,
  tx: Records,
  grant: WriteGrant,
  action: Action,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> =>
  writeAudit(tx, {
    orgId: grant.orgId,
    viewer: grant.viewer,
    action,
    subject: nameOf(grant),
    detail,
    atMs: clock.nowMs(),
  })

const gone = (operation: string): SondeError =>
  new SondeError('not-found', 'there is no such CODEOWNERS file in this project', { operation })
