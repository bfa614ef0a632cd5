/** Values that the records know: projects, and what issues are called. */
import { sql, type SqlBool } from 'kysely'
import { escapeLike } from '../search/search-term.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { SuggestedValue } from './suggest-values.ts'
import { containing } from './suggest-within.ts'

/** Looked at per project, the last seen first: a walk along `issue_by_last_seen` that ends. */
const NEWEST_ISSUES = 1_000
/** Of an organisation with hundreds of projects, the first ones: a suggestion needs no completeness. */
const MAX_PROJECTS = 20

/** Undefined when the records do not answer this key. */
export async function recordValues(
  deps: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  key: string,
  prefix: string,
  limit: number,
): Promise<readonly SuggestedValue[] | undefined> {
  switch (key) {
    case 'project':
    case 'project.name':
      return projectSlugs(deps, projectIds, prefix, limit)
    case 'issue':
      return issueTexts(deps, projectIds, 'short', prefix, limit)
    case 'title':
    case 'culprit':
      return issueTexts(deps, projectIds, key, prefix, limit)
    default:
      return undefined
  }
}

async function projectSlugs(
  { records }: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  prefix: string,
  limit: number,
): Promise<readonly SuggestedValue[]> {
  const rows = await records
    .selectFrom('project')
    .select(['slug as value', 'name as description'])
    .where('id', 'in', projectIds)
    .orderBy('slug')
    .execute()
  const named = rows.map((row) => ({ ...row, count: undefined, seen: undefined }))
  return containing(named, prefix, ({ value }) => value).slice(0, limit)
}

/** Of at most `MAX_PROJECTS`, filtered by the engine, so that few rows are made into objects. */
async function issueTexts(
  deps: Pick<QueryDeps, 'records'>,
  projectIds: readonly number[],
  what: 'short' | 'title' | 'culprit',
  prefix: string,
  limit: number,
): Promise<readonly SuggestedValue[]> {
  const parts = await Promise.all(
    projectIds.slice(0, MAX_PROJECTS).map((id) => newestIssues(deps, id, what, prefix, limit)),
  )
  const rows = parts
    .flat()
    .toSorted((a, b) => b.last_seen_ms - a.last_seen_ms)
    .map(({ value, title }) => ({
      value,
      count: undefined,
      seen: undefined,
      description: what === 'short' ? title : undefined,
    }))
  const values = new Map(rows.map((row) => [row.value, row] as const))
  return containing([...values.values()], prefix, ({ value }) => value).slice(0, limit)
}

const VALUES = {
  short: sql<string>`upper(newest.slug) || '-' || newest.short_number`,
  title: sql<string>`newest.title`,
  culprit: sql<string>`newest.culprit`,
}

const newestIssues = (
  { records }: Pick<QueryDeps, 'records'>,
  projectId: number,
  what: keyof typeof VALUES,
  prefix: string,
  limit: number,
) =>
  records
    .selectFrom((eb) =>
      eb
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select(['issue.title', 'issue.culprit', 'issue.short_number', 'issue.last_seen_ms', 'project.slug'])
        .where('issue.project_id', '=', projectId)
        .where('issue.event_count', '>', 0)
        .orderBy('issue.last_seen_ms', 'desc')
        .limit(NEWEST_ISSUES)
        .as('newest'),
    )
    .select(['title', 'last_seen_ms', VALUES[what].as('value')])
    .where(VALUES[what], '!=', '')
    .where(sql<SqlBool>`lower(${VALUES[what]}) like ${`%${escapeLike(prefix.toLowerCase())}%`} escape '\\'`)
    .orderBy('last_seen_ms', 'desc')
    // The same title comes from several issues: more rows than values.
    .limit(limit * 3)
    .execute()
