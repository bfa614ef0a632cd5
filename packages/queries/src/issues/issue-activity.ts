/** What was done about an issue, by whom, and the commits that say that they fix it: beside the issue on its screen. */
import type { Grant } from '@sonde/access'
import { commitUrl, type IssueChangeKind } from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** In which releases it was seen, its tags tell. */
const SHOWN_KINDS = [
  'new',
  'regressed',
  'reopened',
  'resolved',
  'ignored',
] as const satisfies IssueChangeKind[]

export type IssueActivity = {
  readonly id: number
  readonly kind: (typeof SHOWN_KINDS)[number]
  readonly atMs: number
  /** For people; empty: an event did it. */
  readonly by: string
  /** It came from an issue tracker, which `by` names. */
  readonly isFromTracker: boolean
  /** Of what a commit did. */
  readonly commit: FixCommit | undefined
}

/** A commit whose message says that it fixes the issue. */
export type FixCommit = {
  readonly id: number
  readonly sha: string
  readonly authorName: string
  readonly authorEmail: string
  readonly message: string
  /** The release that had it first. */
  readonly version: string
  readonly atMs: number
  /** Where it can be read; undefined: nobody told where its repository is. */
  readonly url: string | undefined
}

const ACTIVITY_SHOWN = 10
const COMMITS_SHOWN = 20

/** `issue` comes from `findIssue` or `issueDetail`. The newest first; two reads along indexes, and the names. */
export async function issueActivity(
  { records }: Deps,
  grant: ReadGrant,
  issue: Pick<IssueRow, 'id'>,
): Promise<{ readonly activity: readonly IssueActivity[]; readonly commits: readonly FixCommit[] }> {
  const [changes, commits] = await Promise.all([
    records
      .selectFrom('issue_change')
      .select(['id', 'kind', 'at_ms', 'actor'])
      .where('issue_id', '=', issue.id)
      .where('kind', 'in', SHOWN_KINDS)
      .$narrowType<{ kind: (typeof SHOWN_KINDS)[number] }>()
      .orderBy('id', 'desc')
      .limit(ACTIVITY_SHOWN)
      .execute(),
    fixCommits(records, grant, issue.id),
  ])
  const names = await actorNames(
    records,
    changes.map(({ actor }) => actor).filter((actor) => actor !== ''),
  )
  return {
    activity: changes.map(({ id, kind, at_ms: atMs, actor }) => ({
      id,
      kind,
      atMs,
      by: names.get(actor) ?? '',
      isFromTracker: actor.startsWith('tracker:'),
      commit: commits.find((commit) => actor === `commit:${commit.id}`),
    })),
    commits,
  }
}

async function fixCommits(
  records: QueryDeps['records'],
  { orgId }: ReadGrant,
  issueId: number,
): Promise<readonly FixCommit[]> {
  const rows = await records
    .selectFrom('issue_commit')
    .innerJoin('source_commit', 'source_commit.id', 'issue_commit.commit_id')
    .leftJoin('repository', (join) =>
      join
        .onRef('repository.name', '=', 'source_commit.repository')
        .onRef('repository.org_id', '=', 'source_commit.org_id'),
    )
    .selectAll('source_commit')
    .select(['issue_commit.version', 'issue_commit.at_ms as linked_ms', 'repository.url'])
    .where('issue_commit.issue_id', '=', issueId)
    .where('source_commit.org_id', '=', orgId)
    .orderBy('issue_commit.at_ms', 'desc')
    .orderBy('source_commit.at_ms', 'desc')
    .limit(COMMITS_SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sha: row.sha,
    authorName: row.author_name,
    authorEmail: row.author_email,
    message: row.message,
    version: row.version,
    atMs: row.linked_ms,
    url: row.url === null ? undefined : commitUrl(row.url, row.sha),
  }))
}
