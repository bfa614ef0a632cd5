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

/** So restoring never meets another of its name. */
export const SLUG_OF_DELETED = 'is of a project that was deleted and can still be restored'

/**
 * Idempotent: a project of that slug is returned as it is (also when two callers race). Throws
 * `InvalidInput`, also for the slug of one that was deleted and can be restored, `SondeError` (`not-found`: the team).
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
      .executeTakeFirst()
    if (!project) throw new InvalidInput('create a project', { slug: [SLUG_OF_DELETED] })
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
