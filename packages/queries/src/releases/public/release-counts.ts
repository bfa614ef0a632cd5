/** What is counted for the releases of one page, in one read of an index each. */
import type { Kysely } from 'kysely'
import type { RecordsSchema } from '@sonde/stores'
import type { QueryDeps } from '../../query-deps.ts'
import type { KnownRelease } from './known-releases.ts'

export type ReleaseCounts = {
  readonly commitCount: number
  readonly deployCount: number
  /** Issues whose first release it is, by project. */
  readonly newIssues: ReadonlyMap<number, number>
}

/** At most 100 releases. */
export async function releaseCounts(
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  releases: readonly KnownRelease[],
): Promise<(release: KnownRelease) => ReleaseCounts> {
  const [commits, deploys, issues] = [
    await countBy(records, 'release_commit', releases),
    await countBy(records, 'deploy', releases),
    await records
      .selectFrom('issue')
      .select(['first_release', 'project_id'])
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project_id', 'in', projectIds)
      .where(
        'first_release',
        'in',
        releases.map(({ version }) => version),
      )
      // Said for the engine: the index holds no others.
      .where('first_release', '<>', '')
      .where('event_count', '>', 0)
      .groupBy(['first_release', 'project_id'])
      .execute(),
  ]
  return ({ id, version }) => ({
    commitCount: commits.get(id) ?? 0,
    deployCount: deploys.get(id) ?? 0,
    newIssues: new Map(
      issues.filter((row) => row.first_release === version).map((row) => [row.project_id, row.n]),
    ),
  })
}

async function countBy(
  records: Kysely<RecordsSchema>,
  table: 'release_commit' | 'deploy',
  releases: readonly KnownRelease[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await records
    .selectFrom(table)
    .select('release_id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(
      'release_id',
      'in',
      releases.map(({ id }) => id),
    )
    .groupBy('release_id')
    .execute()
  return new Map(rows.map((row) => [row.release_id, row.n]))
}
