/** Makes and changes releases: what `releases new`, `set-commits`, `finalize`, `archive` and `restore` come to. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Records, RELEASE_STATUSES, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import {
  linkField,
  projectsField,
  projectsNamed,
  releaseIdOf,
  timeField,
  versionField,
} from './release-fields.ts'
import { resolveByCommits } from './resolve-by-commits.ts'
import { commitsField, refsField, writeCommits, writeRefs } from './write-commits.ts'

const CHANGES = {
  version: versionField,
  url: linkField.nullish(),
  dateStarted: timeField.nullish(),
  dateReleased: timeField.nullish(),
  status: z.enum(RELEASE_STATUSES, { error: `is one of ${RELEASE_STATUSES.join(', ')}` }).nullish(),
  commits: commitsField.nullish(),
  refs: refsField.nullish(),
}
const INPUT = z.object({ ...CHANGES, projects: projectsField.nullish() })

/** As a request has them: checked field by field. What is left out or null stays as it is. */
export type ReleaseInput = Readonly<Record<keyof typeof CHANGES | 'projects', unknown>>
export type SavedRelease = { readonly id: number; readonly version: string; readonly isNew: boolean }

/**
 * One that is there gets what is given here, and the projects in addition; a new one needs a project. Throws
 * `InvalidInput`.
 */
export async function createRelease(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: Partial<ReleaseInput>,
): Promise<SavedRelease> {
  const operation = 'create a release'
  const given = readInput(operation, INPUT, input)
  const projects = given.projects ?? []
  const projectIds = await projectsNamed(deps.records, grant, operation, projects)
  const { orgId, orgSlug, viewer } = grant
  // A version is the same release in every project: one of other projects is found by adding one's own.
  const known = projectIds.length > 0 ? { orgId } : grant
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const made = await tx
      .insertInto('release')
      .values({
        org_id: orgId,
        version: given.version,
        url: null,
        created_ms: nowMs,
        date_started_ms: null,
        date_released_ms: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made && projectIds.length === 0)
      throw new InvalidInput(operation, { projects: ['needs at least one project'] })
    const id = made?.id ?? (await releaseIdOf(tx, known, given.version, operation))
    await addProjects(tx, id, projectIds)
    await applyChanges(tx, grant, id, given, nowMs)
    const subject = `${orgSlug} ${given.version}`
    if (made) await writeAudit(tx, { orgId, viewer, action: 'release.create', subject, atMs: nowMs })
    return { id, version: given.version, isNew: made !== undefined }
  })
}

/** The same for one that is there. Throws `SondeError` (`not-found`) when it is not. */
export async function updateRelease(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: Partial<ReleaseInput>,
): Promise<SavedRelease> {
  const operation = 'update a release'
  const given = readInput(operation, INPUT, input)
  const projects = given.projects ?? []
  const projectIds = await projectsNamed(deps.records, grant, operation, projects)
  const { orgId, orgSlug, viewer } = grant
  const nowMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const id = await releaseIdOf(tx, grant, given.version, operation)
    await addProjects(tx, id, projectIds)
    await applyChanges(tx, grant, id, given, nowMs)
    const detail = {
      ...(isGiven(given.dateReleased) && { finalized: true }),
      ...(isGiven(given.status) && { status: given.status }),
      ...(isGiven(given.commits) && { commits: given.commits.length }),
      ...(isGiven(given.refs) && { refs: given.refs.length }),
    }
    const subject = `${orgSlug} ${given.version}`
    if (Object.keys(detail).length > 0)
      await writeAudit(tx, { orgId, viewer, action: 'release.update', subject, detail, atMs: nowMs })
    return { id, version: given.version, isNew: false }
  })
}

type Changes = Omit<z.output<typeof INPUT>, 'projects'>

async function applyChanges(
  tx: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  releaseId: number,
  { version, url, dateStarted, dateReleased, status, commits, refs }: Changes,
  nowMs: number,
): Promise<void> {
  const release = { orgId: grant.orgId, releaseId }
  const columns = {
    ...(isGiven(url) && { url }),
    ...(isGiven(dateStarted) && { date_started_ms: dateStarted }),
    ...(isGiven(dateReleased) && { date_released_ms: dateReleased }),
    ...(isGiven(status) && { status }),
  }
  if (Object.keys(columns).length > 0)
    await tx.updateTable('release').set(columns).where('id', '=', releaseId).execute()
  if (commits) {
    const written = await writeCommits(tx, release, commits, nowMs)
    await resolveByCommits(tx, grant, { releaseId, version }, written, nowMs)
  }
  if (refs) await writeRefs(tx, release, refs, nowMs)
}

const isGiven = <Value>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined

async function addProjects(tx: Records, releaseId: number, projectIds: readonly number[]): Promise<void> {
  for (const projectId of projectIds)
    await tx
      .insertInto('release_project')
      .values({ release_id: releaseId, project_id: projectId, first_event_ms: null, last_event_ms: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Forgets a release: its commits, deploys and dates. Events and source maps of that version stay. */
const DELETE_INPUT = z.object({ version: versionField })

/**
 * The next event of the version makes it again. Throws `InvalidInput`, `SondeError` (`not-found`; `forbidden`: it is also of
 * projects that the grant does not cover).
 */
export async function deleteRelease(
  deps: CommandDeps,
  grant: Grant<'release:write', 'org' | 'project'>,
  input: { readonly version: string },
): Promise<void> {
  const operation = 'delete a release'
  const { version } = readInput(operation, DELETE_INPUT, input)
  const { orgId, orgSlug, viewer } = grant
  await writeTransaction(deps.records, async (tx) => {
    const id = await releaseIdOf(tx, grant, version, operation)
    await refuseOthers(tx, grant, operation, { id, version })
    const commits = tx.selectFrom('release_commit').select('commit_id').where('release_id', '=', id)
    const others = tx.selectFrom('release_commit').select('commit_id').where('release_id', '!=', id)
    // Before the release: with it go the rows that tell which commits it had.
    await tx.deleteFrom('source_commit').where('id', 'in', commits).where('id', 'not in', others).execute()
    await tx.deleteFrom('release').where('id', '=', id).execute()
    const subject = `${orgSlug} ${version}`
    await writeAudit(tx, { orgId, viewer, action: 'release.delete', subject, atMs: deps.clock.nowMs() })
  })
}

async function refuseOthers(
  tx: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  operation: string,
  { id, version }: { readonly id: number; readonly version: string },
): Promise<void> {
  if ('projectId' in grant || grant.projects === undefined) return
  const other = await tx
    .selectFrom('release_project')
    .select('project_id')
    .where('release_id', '=', id)
    .where('project_id', 'not in', grant.projects)
    .executeTakeFirst()
  if (!other) return
  throw new SondeError('forbidden', `release "${version}" is also of projects that you do not see`, {
    operation,
    subject: version,
    hint: 'Ask an admin of the organization to delete it.',
  })
}
