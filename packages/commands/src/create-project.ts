/** Makes a project with its first client key. */
import type { Grant, OperatorViewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { createOrganization } from './create-organization.ts'
import { insertKey } from './create-key.ts'
import { nameField, platformField, projectSlugField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const INPUT = z.object({
  slug: projectSlugField,
  name: nameField.optional(),
  platform: platformField.default('other'),
})

export type CreateProjectInput = {
  readonly slug: string
  /** The slug unless told. */
  readonly name?: string | undefined
  /** `javascript`, `python`, …; `other` unless told. */
  readonly platform?: string | undefined
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
 * `InvalidInput`.
 */
export async function createProject(
  deps: CommandDeps,
  grant: Grant<'project:create', 'org'>,
  input: CreateProjectInput,
): Promise<CreatedProject> {
  const { slug, name, platform } = readInput('create a project', INPUT, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const created = await tx
      .insertInto('project')
      .values({ org_id: grant.orgId, slug, name: name ?? slug, platform, created_ms: atMs })
      .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created) {
      await insertKey(tx, { projectId: created.id, label: 'Default', createdMs: atMs })
      await writeAudit(tx, {
        orgId: grant.orgId,
        viewer: grant.viewer,
        action: 'project.create',
        subject: `${grant.orgSlug}/${slug}`,
        detail: { platform },
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

/** For the command line: an organisation of that slug is made when there is none. Slug or id. Throws `InvalidInput`, `SondeError`. */
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
