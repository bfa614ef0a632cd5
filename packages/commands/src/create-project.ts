/** Makes a project with its first client key and its first alert rule. */
import type { Grant, OperatorViewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { insertDefaultRule } from './alerts/change-rule.ts'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { createOrganization } from './create-organization.ts'
import { InvalidInput, nameField, platformField, projectSlugField, readInput, refField } from './fields.ts'
import { findTeam, insertTeamProject } from './people/teams.ts'
import { insertKey } from './update-key.ts'

const INPUT = z.object({
  slug: projectSlugField,
  name: nameField.optional(),
  platform: platformField.default('other'),
  team: refField.optional(),
})

export type CreateProjectInput = {
  readonly slug: string
  /** The slug unless told. */
  readonly name?: string | undefined
  /** `javascript`, `python`, …; `other` unless told. */
  readonly platform?: string | undefined
  /** Slug or id of the team that has it from the beginning. */
  readonly team?: string | number | undefined
}

export type CreatedProject = {
  readonly id: number
  readonly orgId: number
  readonly orgSlug: string
  readonly slug: string
  readonly platform: string
  /** Of the oldest active key: 32 lower hex. */
  readonly publicKey: string
  readonly isNew: boolean
}

/**
 * Idempotent: a project of that slug is returned as it is (also when two callers race). Throws
 * `InvalidInput`, `SondeError` (`not-found`: the team).
 */
export async function createProject(
  deps: CommandDeps,
  grant: Grant<'project:create', 'org'>,
  input: CreateProjectInput,
): Promise<CreatedProject> {
  const { slug, name, platform, team: ref } = readInput('create a project', INPUT, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const team = ref === undefined ? undefined : await findTeam(tx, grant, 'create a project', ref)
    const created = await tx
      .insertInto('project')
      .values({ org_id: grant.orgId, slug, name: name ?? slug, platform, created_ms: atMs })
      .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created) {
      await insertKey(tx, { projectId: created.id, label: 'Default', createdMs: atMs })
      await insertDefaultRule(tx, created.id, atMs)
      if (team) await insertTeamProject(tx, { teamId: team.id, projectId: created.id, role: 'viewer' })
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: 'project.create',
        subject: `${grant.orgSlug}/${slug}`,
        detail: { platform, ...(team && { team: team.slug }) },
        atMs,
      })
    }
    const project = await tx
      .selectFrom('project')
      .select(['id', 'slug', 'platform'])
      .where('org_id', '=', grant.orgId)
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
    return {
      ...project,
      orgId: grant.orgId,
      orgSlug: grant.orgSlug,
      publicKey: await activeKey(tx, project.id, atMs),
      isNew: created !== undefined,
    }
  })
}

/** For the command line: an organization of that slug is made when there is none. Slug or id. Throws `InvalidInput`, `SondeError`. */
export async function ensureProject(
  deps: CommandDeps,
  viewer: OperatorViewer,
  { org, ...project }: CreateProjectInput & { readonly org: string | number },
): Promise<CreatedProject> {
  if (!/^\d+$/.test(String(org))) await createOrganization(deps, viewer, { slug: String(org) })
  return createProject(deps, await deps.access.openOrg(viewer, org, 'project:create'), project)
}

/** Whoever asks for a project wants to send to it: if every key was disabled, one is made. */
async function activeKey(tx: Records, projectId: number, atMs: number): Promise<string> {
  const key = await tx
    .selectFrom('project_key')
    .select('public_key')
    .where('project_id', '=', projectId)
    .where('is_active', '=', 1)
    .where('active_until_ms', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  if (key) return key.public_key
  return (await insertKey(tx, { projectId, label: 'Default', createdMs: atMs })).publicKey
}

/** The end of a project. */
const DELETE_INPUT = z.object({ confirmSlug: z.string() })

/**
 * Issues, hashes, keys, settings, attachments and dead letters go at once, in one transaction; events, their index,
 * counts and files go in the background (`startDeletions`). Cannot be undone. Throws `InvalidInput`: `confirmSlug`
 * is not the project's slug.
 */
export async function deleteProject(
  deps: CommandDeps,
  grant: Grant<'project:delete', 'project'>,
  input: { readonly confirmSlug: string },
): Promise<void> {
  const operation = 'delete a project'
  const { confirmSlug } = readInput(operation, DELETE_INPUT, input)
  if (confirmSlug.trim() !== grant.projectSlug) {
    throw new InvalidInput(operation, { confirmSlug: [`type ${grant.projectSlug} to delete it`] })
  }
  const { projectId, orgId, viewer } = grant
  const name = `${grant.orgSlug}/${grant.projectSlug}`
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const states = await tx.selectFrom('pipeline_state').selectAll().execute()
    const letters = await tx
      .selectFrom('dead_letter')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    await tx.deleteFrom('dead_letter').where('project_id', '=', projectId).execute()
    await tx
      .insertInto('blob_garbage')
      .columns(['name', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('attachment')
          .select(['blob', eb.lit(atMs).as('since_ms')])
          .distinct()
          .where('project_id', '=', projectId),
      )
      .execute()
    await tx
      .insertInto('blob_garbage')
      .columns(['name', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('replay_segment')
          .select(['blob', eb.lit(atMs).as('since_ms')])
          .where('project_id', '=', projectId),
      )
      .execute()
    await tx
      .insertInto('blob_garbage')
      .columns(['name', 'since_ms'])
      .expression((eb) =>
        eb
          .selectFrom('replay_segment')
          .select(({ ref, lit }) => [ref('video_blob').$notNull().as('blob'), lit(atMs).as('since_ms')])
          .where('project_id', '=', projectId)
          .where('video_blob', 'is not', null),
      )
      .execute()
    // Everything that refers to it goes along (ON DELETE CASCADE).
    await tx.deleteFrom('project').where('id', '=', projectId).execute()
    // A batch in flight found its issues before this moment and may still insert their events; every later one finds no
    // project. So there is a deletion for each partition of the log: its events may come with any of them.
    const afterPositions = states.map((state) => ({
      log_partition: state.log_partition,
      after_position: state.inflight_to ?? state.position,
    }))
    const deletion = {
      project_id: projectId,
      org_id: orgId,
      name,
      blobs: JSON.stringify([...new Set(letters.map((letter) => letter.blob))]),
      requested_ms: atMs,
      finished_ms: null,
    }
    await tx
      .insertInto('deletion')
      .values(
        (states.length > 0 ? afterPositions : [{ after_position: 0 }]).map((after) => ({
          ...deletion,
          ...after,
        })),
      )
      .execute()
    await writeAudit(tx, {
      orgId,
      viewer,
      action: 'project.delete',
      subject: name,
      detail: { projectId },
      atMs,
    })
  })
  deps.onDeletion?.()
}
