/** "Resolved in": from which release on an event brings an issue back. docs/decisions/0020-order-of-releases.md */
import { inReleaseOrder } from '@sonde/protocol/release-version'
import { compareReleasesOf, readReleaseTimes, type Records, startsWith } from '@sonde/stores'
import { z } from 'zod'
import { InvalidInput } from '../fields.ts'

/** `latest` is the version for the project's last release. */
export const resolutionField = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('release'), version: z.string().min(1, 'is needed').max(200) }),
  z.object({ kind: z.literal('next_release') }),
  z.object({
    kind: z.literal('commit'),
    sha: z.string().min(4, 'needs at least 4 characters of the commit').max(64),
    repository: z.string().max(200).optional(),
  }),
])
export type Resolution = z.output<typeof resolutionField>

/** What stands in the issue. */
export type ResolvedIn = {
  readonly resolved_in: '' | 'release' | 'next_release'
  readonly resolved_release: string
}
export const RESOLVED_AT_ONCE: ResolvedIn = { resolved_in: '', resolved_release: '' }

type Project = { readonly id: number; readonly slug: string; readonly orgId: number }

/**
 * What a resolution comes to in one project. A commit that is in no release yet is resolved in the next one. Throws
 * `InvalidInput` where the project has no release to tell by: its events would never bring the issue back.
 */
export async function resolvedInProject(
  tx: Records,
  project: Project,
  resolution: Resolution,
): Promise<ResolvedIn> {
  if (resolution.kind === 'release' && resolution.version !== 'latest')
    return { resolved_in: 'release', resolved_release: await known(tx, project, resolution.version) }
  if (resolution.kind === 'commit') {
    const version = await firstWithCommit(tx, project, resolution)
    if (version !== undefined) return { resolved_in: 'release', resolved_release: version }
  }
  const latest = inReleaseOrder(await readReleaseTimes(tx, project.id)).at(-1)
  if (latest === undefined)
    throw refused(
      `${project.slug} has no release yet: resolve the issue without one, and send events with a release`,
    )
  return {
    resolved_in: resolution.kind === 'release' ? 'release' : 'next_release',
    resolved_release: latest.version,
  }
}

async function known(tx: Records, project: Project, version: string): Promise<string> {
  const [release] = await readReleaseTimes(tx, project.id, { versions: [version] })
  if (release) return release.version
  throw refused(
    `${project.slug} has no release "${version}"; for one that is not built yet there is "the next release"`,
  )
}

async function firstWithCommit(
  tx: Records,
  { id, orgId }: Project,
  { sha, repository }: { readonly sha: string; readonly repository?: string | undefined },
): Promise<string | undefined> {
  const rows = await tx
    .selectFrom('source_commit')
    .innerJoin('release_commit', 'release_commit.commit_id', 'source_commit.id')
    .innerJoin('release_project', 'release_project.release_id', 'release_commit.release_id')
    .innerJoin('release', 'release.id', 'release_commit.release_id')
    .select('release.version')
    .distinct()
    .where('source_commit.org_id', '=', orgId)
    .where(startsWith('source_commit.sha', sha))
    .$if(repository !== undefined, (query) => query.where('source_commit.repository', '=', repository ?? ''))
    .where('release_project.project_id', '=', id)
    .limit(1_000)
    .execute()
  const versions = rows.map(({ version }) => version)
  const compare = await compareReleasesOf(tx, id, versions)
  return versions.toSorted(compare)[0]
}

const refused = (message: string): InvalidInput =>
  new InvalidInput('resolve issues', { statusDetails: [message] })
