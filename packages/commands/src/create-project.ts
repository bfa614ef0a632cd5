/** Makes a project with its first client key. */
import type { Viewer } from '@sonde/access'
import { type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { createOrganization } from './create-organization.ts'
import { insertKey } from './create-key.ts'
import { nameField, platformField, refField, projectSlugField } from './fields.ts'
import { readInput } from './invalid-input.ts'

const INPUT = z.object({
  org: refField,
  slug: projectSlugField,
  name: nameField.optional(),
  platform: platformField.default('other'),
})

export type CreateProjectInput = {
  /** Slug or id. The operator may name one that does not exist yet: it is made. */
  readonly org: string | number
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
 * Idempotent: a project of that slug is returned as it is (also when two callers race). Permission
 * `project:create`. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`).
 */
export async function createProject(
  deps: CommandDeps,
  viewer: Viewer,
  input: CreateProjectInput,
): Promise<CreatedProject> {
  const { org, slug, name, platform } = readInput('create a project', INPUT, input)
  if (viewer.kind === 'operator' && !/^\d+$/.test(String(org))) {
    await createOrganization(deps, viewer, { slug: String(org) })
  }
  const scope = await deps.access.openOrg(viewer, org, 'project:create')
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const created = await tx
      .insertInto('project')
      .values({ org_id: scope.orgId, slug, name: name ?? slug, platform, created_ms: atMs })
      .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created) {
      await insertKey(tx, { projectId: created.id, label: 'Default', createdMs: atMs })
      await writeAudit(tx, {
        orgId: scope.orgId,
        viewer,
        action: 'project.create',
        subject: `${scope.orgSlug}/${slug}`,
        detail: { platform },
        atMs,
      })
    }
    const project = await tx
      .selectFrom('project')
      .select(['id', 'slug', 'platform'])
      .where('org_id', '=', scope.orgId)
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
    return {
      ...project,
      orgId: scope.orgId,
      orgSlug: scope.orgSlug,
      publicKey: await activeKey(tx, project.id, atMs),
      isNew: created !== undefined,
    }
  })
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
