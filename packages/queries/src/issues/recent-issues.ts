/** Issues to go to by name: the palette's list. */
import type { Grant } from '@sonde/access'
import { sql, type SqlBool } from 'kysely'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { escapeLike } from '../search/search-term.ts'

export type RecentIssue = {
  /** `SHOP-42`. */
  readonly shortId: string
  readonly project: string
  readonly title: string
  readonly level: string
  readonly status: string
  readonly lastSeenMs: number
}

/** Per project a walk along `issue_by_last_seen` that ends: what was not seen for long is found by the search. */
const NEWEST_ISSUES = 1_000
const MAX_PROJECTS = 50

/** The last seen first; `text` is looked for in short ids and titles, in any case. */
export async function recentIssues(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { text = '', limit = 8 }: { readonly text?: string; readonly limit?: number } = {},
): Promise<readonly RecentIssue[]> {
  const projectIds = await projectIdsOf(deps, grant)
  const parts = await Promise.all(
    projectIds.slice(0, MAX_PROJECTS).map((id) => newestOf(deps, id, text.trim(), limit)),
  )
  return parts
    .flat()
    .toSorted((a, b) => b.lastSeenMs - a.lastSeenMs)
    .slice(0, limit)
}

const SHORT_ID = sql<string>`upper(newest.slug) || '-' || newest.short_number`

const newestOf = (
  { records }: Pick<QueryDeps, 'records'>,
  projectId: number,
  text: string,
  limit: number,
): Promise<RecentIssue[]> => {
  const like = `%${escapeLike(text.toLowerCase())}%`
  return records
    .selectFrom((eb) =>
      eb
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select(['issue.title', 'issue.level', 'issue.status', 'issue.short_number', 'issue.last_seen_ms'])
        .select('project.slug')
        .where('issue.project_id', '=', projectId)
        .where('issue.event_count', '>', 0)
        .orderBy('issue.last_seen_ms', 'desc')
        .limit(text === '' ? limit : NEWEST_ISSUES)
        .as('newest'),
    )
    .select(['title', 'level', 'status', 'slug as project', 'last_seen_ms as lastSeenMs'])
    .select(SHORT_ID.as('shortId'))
    .where(sql<SqlBool>`lower(${SHORT_ID} || ' ' || newest.title) like ${like} escape '\\'`)
    .orderBy('last_seen_ms', 'desc')
    .limit(limit)
    .execute()
}
