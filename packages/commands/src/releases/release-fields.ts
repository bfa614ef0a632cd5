/** What several commands about releases take. */
import { type Grant, projectsToName } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { inProjects, type ProjectScope, type Records } from '@sonde/stores'
import { z } from 'zod'
import { InvalidInput, refField } from '../fields.ts'

/** The same rule as for the release of an event: it stands in addresses. */
export const versionField = z
  .string({ error: 'is needed' })
  .trim()
  .min(1, 'is needed')
  .max(200, 'has at most 200 characters')
  .refine((version) => !/[\n\r\t\f/\\]/.test(version), 'has no slash, backslash, tab or line break')
  .refine((version) => !['.', '..', 'latest'].includes(version), 'cannot be ".", ".." or "latest"')

/** ISO 8601, or Unix seconds as some clients send. Output: Unix milliseconds. */
export const timeField = z
  .union([z.string(), z.number()], { error: 'is a time like 2026-01-31T10:00:00Z' })
  .transform((given, context) => {
    const ms = typeof given === 'number' ? given * 1000 : Date.parse(given)
    if (Number.isSafeInteger(Math.round(ms)) && ms >= 0 && ms < LATEST_MS) return Math.round(ms)
    context.addIssue('is a time like 2026-01-31T10:00:00Z')
    return z.NEVER
  })
const LATEST_MS = Date.UTC(2106, 0, 1)

/** Where a build, a release or a deploy can be looked at; shown as a link. */
export const linkField = z
  .string()
  .max(500, 'has at most 500 characters')
  .refine((url) => /^https?:\/\//i.test(url), 'begins with http:// or https://')

export const projectsField = z.array(refField, { error: 'is a list of project slugs' }).max(1_000)

/** From what a request names to the release and the projects in it. */
type Ref = string | number

/**
 * The ids of the named projects of the organization; one that is not there is an error of the
 * field, since a build that names it wrongly would upload into nothing.
 */
export async function projectsNamed(
  records: Records,
  grant: Grant<'release:write', 'org' | 'project'>,
  operation: string,
  projects: readonly Ref[],
): Promise<readonly number[]> {
  const known = projectsToName(grant, 'release:write')
  const rows = await records
    .selectFrom('project')
    .select(['id', 'slug'])
    // The key of a project may name others of its organization.
    .where(inProjects({ orgId: grant.orgId, ...(known && { projects: known }) }))
    .execute()
  const idOf = new Map(rows.flatMap(({ id, slug }) => [[slug, id] as const, [String(id), id] as const]))
  const missing = projects.filter((ref) => !idOf.has(String(ref)))
  if (missing.length > 0)
    throw new InvalidInput(operation, {
      projects: [`${grant.orgSlug} has no project ${missing.map((ref) => `"${ref}"`).join(', ')}`],
    })
  return [...new Set(projects.map((ref) => idOf.get(String(ref)) ?? 0))]
}

/** Throws `SondeError` (`not-found`): also for one of projects alone that a grant of the organization does not cover. */
export async function releaseIdOf(
  records: Records,
  scope: ProjectScope,
  version: string,
  operation: string,
): Promise<number> {
  const row = await records
    .selectFrom('release')
    .select('id')
    .where('org_id', '=', scope.orgId)
    .where('version', '=', version)
    .$if(scope.projects !== undefined, (query) =>
      query.where('release.id', 'in', (eb) =>
        eb
          .selectFrom('release_project')
          .innerJoin('project', 'project.id', 'release_project.project_id')
          .select('release_id')
          .where(inProjects(scope)),
      ),
    )
    .executeTakeFirst()
  if (row) return row.id
  throw new SondeError('not-found', `no release called "${version}"`, { operation, subject: version })
}
