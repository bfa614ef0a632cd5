/** `/api/0/…/releases/{version}/`, and the release that a build's commits are counted from. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../../query-deps.ts'
import { type CommitAuthor, commitAuthors } from './commits-of-release.ts'
import { knownReleases } from './known-releases.ts'
import { type ReleaseRow, releaseRows } from './release-rows.ts'

export type ReleaseWithAuthors = ReleaseRow & { readonly authors: readonly CommitAuthor[] }

/** Undefined: this grant knows no release of that version. */
export async function releaseByVersion(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  version: string,
): Promise<ReleaseWithAuthors | undefined> {
  const known = (await knownReleases(deps, grant, version))[0]
  if (known === undefined) return undefined
  const [row] = await releaseRows(deps, grant, [known])
  return row && { ...row, authors: await commitAuthors(deps, known) }
}

/**
 * The latest release that was made before this one and whose commits are known, of the projects that this one has. A build
 * asks which commit it has to go back to. Undefined: none.
 */
export async function previousWithCommits(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  release: ReleaseRow,
): Promise<ReleaseRow | undefined> {
  const { version } =
    (await deps.records
      .selectFrom('release_project')
      .innerJoin('release', 'release.id', 'release_project.release_id')
      .select('release.version')
      .where('release.org_id', '=', grant.orgId)
      .where('release.id', '<', release.id)
      .where(
        'release_project.project_id',
        'in',
        release.projects.map((project) => project.id),
      )
      .where(({ exists, or, selectFrom }) =>
        or([
          exists(selectFrom('release_commit').select('commit_id').whereRef('release_id', '=', 'release.id')),
          exists(selectFrom('release_ref').select('sha').whereRef('release_id', '=', 'release.id')),
        ]),
      )
      .orderBy('release.id', 'desc')
      .limit(1)
      .executeTakeFirst()) ?? {}
  if (version === undefined) return undefined
  const [known] = await knownReleases(deps, grant, version)
  return known && (await releaseRows(deps, grant, [known]))[0]
}
