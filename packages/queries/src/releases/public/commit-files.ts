/** Which files the commits of a release changed. */
import type { QueryDeps } from '../../query-deps.ts'
import type { CommitRow } from './commits-of-release.ts'

export type CommitFileRow = {
  readonly path: string
  /** Added, modified, deleted. */
  readonly change: 'A' | 'M' | 'D'
  readonly commit: Pick<CommitRow, 'sha' | 'repository' | 'authorName' | 'authorEmail' | 'message' | 'atMs'>
}

/** Of the newest commits first; at most `limit`. `release` is of `releaseByVersion`, which proves that it may be seen. */
export async function commitFilesOfRelease(
  { records }: Pick<QueryDeps, 'records'>,
  release: { readonly id: number },
  limit: number,
): Promise<readonly CommitFileRow[]> {
  const rows = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .innerJoin('source_commit_file', 'source_commit_file.commit_id', 'source_commit.id')
    .select(['path', 'change', 'sha', 'repository', 'author_name', 'author_email', 'message', 'at_ms'])
    .where('release_id', '=', release.id)
    .orderBy('position')
    .orderBy('path')
    .limit(limit)
    .execute()
  return rows.map(({ path, change, ...row }) => ({
    path,
    change,
    commit: {
      sha: row.sha,
      repository: row.repository,
      authorName: row.author_name,
      authorEmail: row.author_email,
      message: row.message,
      atMs: row.at_ms,
    },
  }))
}
