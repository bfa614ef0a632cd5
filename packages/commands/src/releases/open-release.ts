/** From what a request names to the release and the projects in it. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { InvalidInput } from '../invalid-input.ts'

type Ref = string | number

/**
 * The ids of the named projects of the organisation; one that is not there is an error of the
 * field, since a build that names it wrongly would upload into nothing.
 */
export async function projectsNamed(
  records: Records,
  { orgId, orgSlug }: Grant<'release:write', 'org' | 'project'>,
  operation: string,
  projects: readonly Ref[],
): Promise<readonly number[]> {
  const rows = await records
    .selectFrom('project')
    .select(['id', 'slug'])
    .where('org_id', '=', orgId)
    .execute()
  const idOf = new Map(rows.flatMap(({ id, slug }) => [[slug, id] as const, [String(id), id] as const]))
  const missing = projects.filter((ref) => !idOf.has(String(ref)))
  if (missing.length > 0)
    throw new InvalidInput(operation, {
      projects: [`${orgSlug} has no project ${missing.map((ref) => `"${ref}"`).join(', ')}`],
    })
  return [...new Set(projects.map((ref) => idOf.get(String(ref)) ?? 0))]
}

/** Throws `SondeError` (`not-found`). */
export async function releaseIdOf(
  records: Records,
  orgId: number,
  version: string,
  operation: string,
): Promise<number> {
  const row = await records
    .selectFrom('release')
    .select('id')
    .where('org_id', '=', orgId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (row) return row.id
  throw new SondeError('not-found', `no release called "${version}"`, { operation, subject: version })
}
