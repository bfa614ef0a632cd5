/** What a project is called and where it lives. */
import type { Viewer } from '@sonde/access'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import type { ProjectInput } from './create-key.ts'
import { nameField, platformField, projectSlugField, refField } from './fields.ts'
import { InvalidInput, readInput } from './invalid-input.ts'
import { writeTransaction } from '@sonde/stores'

const INPUT = z.object({
  org: refField,
  project: refField,
  name: nameField.optional(),
  slug: projectSlugField.optional(),
  platform: platformField.optional(),
})

/** What is left out stays. */
export type UpdateProjectInput = ProjectInput & {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly platform?: string | undefined
}

export type UpdatedProject = {
  readonly id: number
  /** Where the project lives now: the page has to go there when it changed. */
  readonly slug: string
  readonly name: string
  readonly platform: string
}

/**
 * A new slug changes the project's addresses, never its DSNs; links to the old one are not found. Permission
 * `project:write`. Throws `InvalidInput` (also for a slug that is taken), `SondeError` (`not-found`, `forbidden`).
 */
export async function updateProject(
  deps: CommandDeps,
  viewer: Viewer,
  input: UpdateProjectInput,
): Promise<UpdatedProject> {
  const operation = 'change a project'
  const { org, project, ...given } = readInput(operation, INPUT, input)
  const scope = await deps.access.openProject(viewer, org, project, 'project:write')
  return writeTransaction(deps.records, async (tx) => {
    const before = await tx
      .selectFrom('project')
      .select(['id', 'slug', 'name', 'platform'])
      .where('id', '=', scope.projectId)
      .executeTakeFirstOrThrow()
    const changes = Object.fromEntries(
      Object.entries(given).filter(
        ([field, value]) => value !== undefined && value !== before[field as keyof typeof given],
      ),
    )
    if (Object.keys(changes).length === 0) return before
    if ('slug' in changes) {
      const taken = await tx
        .selectFrom('project')
        .select('id')
        .where('org_id', '=', scope.orgId)
        .where('slug', '=', changes['slug'] ?? '')
        .executeTakeFirst()
      if (taken) throw new InvalidInput(operation, { slug: ['is taken by another project'] })
    }
    await tx.updateTable('project').set(changes).where('id', '=', scope.projectId).execute()
    await writeAudit(tx, {
      orgId: scope.orgId,
      viewer,
      action: 'project.update',
      subject: `${scope.orgSlug}/${scope.projectSlug}`,
      detail: changes,
      atMs: deps.clock.nowMs(),
    })
    return { ...before, ...changes }
  })
}
