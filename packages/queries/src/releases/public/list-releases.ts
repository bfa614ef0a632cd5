/** `/api/0/…/releases/`. */
import type { Grant } from '@sonde/access'
import { inReleaseOrder, type Release } from '@sonde/protocol/release-version'
import { inProjects, type ReleaseStatus } from '@sonde/stores'
import { sql } from 'kysely'
import { FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit, parseCursor } from '../../cursor.ts'
import type { QueryDeps } from '../../query-deps.ts'
import { SearchError } from '../../search/search-term.ts'
import { type CommitAuthor, commitAuthors } from './commits-of-release.ts'
import { type ReleaseRow, releaseRows } from './release-rows.ts'

/** The releases that a grant knows, in their order: what every question about a release begins with. */
export type KnownRelease = Release & {
  readonly id: number
  readonly status: ReleaseStatus
  readonly createdMs: number
  /** In the projects of the grant; undefined: nothing of it has come yet. */
  readonly firstEventMs: number | undefined
  readonly lastEventMs: number | undefined
}

/** A build an hour for half a year: the newest are put in order, older ones are found by their version. */
const MAX_KNOWN_RELEASES = 5_000

/** Oldest first. Reads one row a release and project: 10 to 18 ms of processor time for a thousand, measured with 20,000. */
async function knownReleases(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  /** Only this one. */
  version?: string,
): Promise<KnownRelease[]> {
  const rows = await records
    .selectFrom('release')
    .leftJoin('release_project', 'release_project.release_id', 'release.id')
    .select(['release.id', 'release.version', 'release.status', 'release.created_ms'])
    .select(({ fn }) => [
      fn.min('release_project.first_event_ms').as('first_ms'),
      fn.max('release_project.last_event_ms').as('last_ms'),
    ])
    .where('release.org_id', '=', grant.orgId)
    // One of a whole organization may have no project.
    .$if('projectId' in grant || grant.projects !== undefined, (query) =>
      query.where('release_project.project_id', 'in', (eb) =>
        eb.selectFrom('project').select('project.id').where(inProjects(grant)),
      ),
    )
    .$if(version !== undefined, (query) => query.where('release.version', '=', version ?? ''))
    .groupBy('release.id')
    .orderBy(sql`release.id desc`)
    .limit(MAX_KNOWN_RELEASES)
    .execute()
  return inReleaseOrder(
    rows.map((row) => ({
      id: row.id,
      version: row.version,
      status: row.status,
      createdMs: row.created_ms,
      firstSeenMs: Math.min(row.created_ms, row.first_ms ?? Infinity),
      firstEventMs: row.first_ms ?? undefined,
      lastEventMs: row.last_ms ?? undefined,
    })),
  )
}

/** `semver`: their order; `date`: when they were first heard of. The latest first. */
export const RELEASE_SORTS = ['date', 'semver'] as const
export type ReleaseSort = (typeof RELEASE_SORTS)[number]

export type ListReleasesInput = {
  /** A part of the version, in any case. */
  readonly query?: string | undefined
  readonly sort?: ReleaseSort | undefined
  /** `open` unless given. */
  readonly status?: 'open' | 'archived' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Throws `SearchError` for a cursor that is none. */
export async function listReleases(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read' | 'project:read', 'org' | 'project'>,
  { query = '', sort = 'date', status = 'open', limit, cursor }: ListReleasesInput = {},
): Promise<Page<ReleaseRow>> {
  const at = cursor === undefined ? FIRST_PAGE : parseCursor(cursor)
  if (at === undefined) throw new SearchError(`cursor "${cursor}" is not one of ours`, 0)
  const rowLimit = pageLimit(limit)
  const wanted = query.trim().toLowerCase()
  const found = (await knownReleases(deps, grant))
    .filter((release) => release.status === status && release.version.toLowerCase().includes(wanted))
    .toReversed()
  const sorted = sort === 'semver' ? found : found.toSorted((a, b) => b.firstSeenMs - a.firstSeenMs)
  const page = offsetPage(sorted.slice(offsetOf(at), offsetOf(at) + rowLimit + 1), at, rowLimit)
  return { ...page, rows: await releaseRows(deps, grant, page.rows) }
}

/** `/api/0/…/releases/{version}/`, and the release that a build's commits are counted from. */
export type ReleaseWithAuthors = ReleaseRow & { readonly authors: readonly CommitAuthor[] }

/** Undefined: this grant knows no release of that version. */
export async function releaseByVersion(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
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
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
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
