/** What a project is called and where it lives. */
import type { Grant } from '@sonde/access'
import { type Records, withHidden, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { SLUG_OF_DELETED } from './create-project.ts'
import { InvalidInput, nameField, platformField, projectSlugField, readInput } from './fields.ts'

const INPUT = z.object({
  name: nameField.optional(),
  slug: projectSlugField.optional(),
  platform: platformField.optional(),
})

/** What is left out stays. */
export type UpdateProjectInput = {
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
 * A new slug changes the project's addresses, never its DSNs; links to the old one are not found. Throws
 * `InvalidInput`, also for a slug that is taken.
 */
export async function updateProject(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: UpdateProjectInput,
): Promise<UpdatedProject> {
  const operation = 'change a project'
  const given = readInput(operation, INPUT, input)
  return writeTransaction(deps.records, async (tx) => {
    const before = await tx
      .selectFrom('project')
      .select(['id', 'slug', 'name', 'platform'])
      .where('id', '=', grant.projectId)
      .executeTakeFirstOrThrow()
    const changes = Object.fromEntries(
      Object.entries(given).filter(
        ([field, value]) => value !== undefined && value !== before[field as keyof typeof given],
      ),
    )
    if (Object.keys(changes).length === 0) return before
    if ('slug' in changes) {
      const of = (records: Records) =>
        records
          .selectFrom('project')
          .select('id')
          .where('org_id', '=', grant.orgId)
          .where('slug', '=', changes['slug'] ?? '')
          .executeTakeFirst()
      const taken = await of(tx)
      if (!taken && (await of(withHidden(tx)))) throw new InvalidInput(operation, { slug: [SLUG_OF_DELETED] })
      if (taken) throw new InvalidInput(operation, { slug: ['is taken by another project'] })
    }
    await tx.updateTable('project').set(changes).where('id', '=', grant.projectId).execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'project.update',
      subject: `${grant.orgSlug}/${grant.projectSlug}`,
      detail: changes,
      atMs: deps.clock.nowMs(),
    })
    return { ...before, ...changes }
  })
}
