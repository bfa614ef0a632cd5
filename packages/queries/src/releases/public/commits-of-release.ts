/** What is in a release: commits as sentry-cli read them out of git, or ranges of repositories. */
import { type Page, FIRST_PAGE, offsetOf, offsetPage, pageLimit, parseCursor } from '../../cursor.ts'
import type { QueryDeps } from '../../query-deps.ts'
import { SearchError } from '../../search/search-term.ts'

export type CommitRow = {
  readonly sha: string
  /** `acme/shop`; empty: none was named. */
  readonly repository: string
  readonly authorName: string
  readonly authorEmail: string
  readonly message: string
  readonly atMs: number
}
const commitRow = (row: {
  sha: string
  repository: string
  author_name: string
  author_email: string
  message: string
  at_ms: number
}): CommitRow => ({
  sha: row.sha,
  repository: row.repository,
  authorName: row.author_name,
  authorEmail: row.author_email,
  message: row.message,
  atMs: row.at_ms,
})

const COLUMNS = ['sha', 'repository', 'author_name', 'author_email', 'message', 'at_ms'] as const

/** Newest first, as they were told. `release` is of `releaseByVersion`, which proves that it may be seen. */
export async function commitsOfRelease(
  { records }: Pick<QueryDeps, 'records'>,
  release: { readonly id: number },
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
): Promise<Page<CommitRow>> {
  const at = cursor === undefined ? FIRST_PAGE : parseCursor(cursor)
  if (at === undefined) throw new SearchError(`cursor "${cursor}" is not one of ours`, 0)
  const rowLimit = pageLimit(limit, 50)
  const rows = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .select(COLUMNS)
    .where('release_id', '=', release.id)
    .orderBy('position')
    .limit(rowLimit + 1)
    .offset(offsetOf(at))
    .execute()
  return offsetPage(
    rows.map((row) => commitRow(row)),
    at,
    rowLimit,
  )
}

export type CommitAuthor = { readonly name: string; readonly email: string; readonly commitCount: number }

/** Who wrote most of it first, at most 50. */
export async function commitAuthors(
  { records }: Pick<QueryDeps, 'records'>,
  release: { readonly id: number },
): Promise<readonly CommitAuthor[]> {
  const rows = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .select(['author_email as email'])
    .select(({ fn }) => [fn.max('author_name').as('name'), fn.countAll<number>().as('n')])
    .where('release_id', '=', release.id)
    .groupBy('author_email')
    .orderBy('n', 'desc')
    .orderBy('author_email')
    .limit(50)
    .execute()
  return rows.map(({ name, email, n }) => ({ name: name ?? '', email, commitCount: n }))
}

/** The newest commit of each release; of one that has only ranges, the end of its first. */
export async function lastCommits(
  { records }: Pick<QueryDeps, 'records'>,
  releaseIds: readonly number[],
): Promise<ReadonlyMap<number, CommitRow>> {
  const refs = await records
    .selectFrom('release_ref')
    .select(['release_id', 'repository', 'sha'])
    .where('release_id', 'in', releaseIds)
    .orderBy('repository', 'desc')
    .execute()
  const commits = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .select(COLUMNS)
    .select('release_id')
    .where('release_id', 'in', releaseIds)
    .where('position', '=', 0)
    .execute()
  return new Map([
    ...refs.map(
      ({ release_id, repository, sha }) =>
        [release_id, { sha, repository, authorName: '', authorEmail: '', message: '', atMs: 0 }] as const,
    ),
    ...commits.map((row) => [row.release_id, commitRow(row)] as const),
  ])
}
