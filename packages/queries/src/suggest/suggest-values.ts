/** Values for the search field, most frequent first. */
import type { Grant } from '@sonde/access'
import { sql, type SqlBool } from 'kysely'
import { assigneeChoices } from '../people/assignees.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventColumnOf } from '../search/search-fields.ts'
import { escapeLike, type SearchKey } from '../search/search-term.ts'
import { FIXED_VALUES } from './known-keys.ts'
import { containing, eventSample, readWithin, type SuggestWithin } from './suggest-within.ts'

// Values that the records know: projects, and what issues are called.

/** Looked at per project, the last seen first: a walk along `issue_by_last_seen` that ends. */
const NEWEST_ISSUES = 1_000
/** Of an organization with hundreds of projects, the first ones: a suggestion needs no completeness. */
const MAX_PROJECTS = 20

/** Undefined when the records do not answer this key. */
async function recordValues(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  projectIds: readonly number[],
  key: string,
  prefix: string,
  limit: number,
): Promise<readonly SuggestedValue[] | undefined> {
  switch (key) {
    case 'assigned':
    case 'assigned_or_suggested':
      return assigneeValues(deps, grant, prefix, limit)
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

/** What stands for whoever asks, then teams and members. */
async function assigneeValues(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  prefix: string,
  limit: number,
): Promise<readonly SuggestedValue[]> {
  const choices = await assigneeChoices(deps, grant)
  const rows = [
    ['me', 'Your own'],
    ['my_teams', 'Of the teams that you are in'],
    ['none', 'Nobody has it'],
    ...choices.map(({ name, hint }) => (name.startsWith('#') ? [name, hint] : [hint, name])),
  ].map(([value = '', description = '']) => ({ value, description, count: undefined, seen: undefined }))
  return containing(rows, prefix, ({ value, description }) => `${value} ${description}`).slice(0, limit)
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

export type SuggestedValue = {
  readonly value: string
  /** Events of the period with it (by a sample where there are many); undefined where nothing was counted. */
  readonly count: number | undefined
  /** One line for values that do not speak for themselves. */
  readonly description: string | undefined
  /** First and newest of the events counted. */
  readonly seen: { readonly firstMs: number; readonly lastMs: number } | undefined
}

/** Columns with few different values, a byte or two a row: read as they are up to a million rows (about 15 ms). */
const NARROW: ReadonlySet<string> = new Set([
  'release',
  'environment',
  'dist',
  'transaction',
  'error.type',
  'platform',
  'platform.name',
  'event.type',
  'sdk.name',
  'sdk.version',
])
/** Only in the payload, or different for each event: nothing worth offering, and dear to read. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['user.email', 'user.username', 'user.ip', 'trace', 'id'])
const MAX_NARROW_ROWS = 1_000_000
/** A tag's value or an address: about 1 ms a thousand. */
const MAX_WIDE_ROWS = 40_000

/**
 * `key` as typed, `{ isTag: true }` for `tags[…]`. Values that contain `prefix` in any case; those that begin with
 * it first. Unknown keys are tags. Throws `SearchError` for a period that is none.
 */
export async function suggestValues(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  key: string | SearchKey,
  prefix: string,
  within: SuggestWithin = {},
): Promise<readonly SuggestedValue[]> {
  const requested = typeof key === 'string' ? { name: key, isTag: false } : key
  const { projectIds, sinceMs, limit } = await readWithin(deps, grant, within)
  const fixed = requested.isTag ? undefined : FIXED_VALUES.get(requested.name)
  if (fixed) {
    const rows = fixed.map((row) => ({ ...row, count: undefined, seen: undefined }))
    return containing(rows, prefix, ({ value }) => value).slice(0, limit)
  }
  if (projectIds.length === 0 || (!requested.isTag && NOT_OFFERED.has(requested.name))) return []
  const ofRecords = requested.isTag
    ? undefined
    : await recordValues(deps, grant, projectIds, requested.name, prefix, limit)
  return ofRecords ?? eventValues(deps, requested, prefix, { projectIds, sinceMs, limit })
}

async function eventValues(
  deps: QueryDeps,
  key: SearchKey,
  prefix: string,
  { projectIds, sinceMs, limit }: Awaited<ReturnType<typeof readWithin>>,
): Promise<readonly SuggestedValue[]> {
  const maxRows = !key.isTag && NARROW.has(key.name) ? MAX_NARROW_ROWS : MAX_WIDE_ROWS
  const column = columnOf(key)
  const sample = await eventSample(deps, { projectIds, sinceMs, maxRows })
  const contains = prefix === '' ? '' : 'AND value ILIKE {contains:String}'
  const rows = await deps.telemetry.query<{ value: string; count: number; firstMs: number; lastMs: number }>(
    `SELECT ${column} AS value, count() AS count, toUnixTimestamp64Milli(min(timestamp)) AS firstMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs
     FROM events
     WHERE ${sample.sql} AND value != '' ${contains}
     GROUP BY value ORDER BY startsWith(lower(value), lower({prefix:String})) DESC, count DESC, value
     LIMIT {limit:UInt32}`,
    { ...sample.params, name: key.name, prefix, contains: `%${escapeLike(prefix)}%`, limit },
  )
  return rows.map(({ value, count, ...seen }) => ({
    value,
    count: count * sample.step,
    description: undefined,
    seen,
  }))
}

/** What `firstRelease` may be is what releases there are. */
const columnOf = (key: SearchKey): string =>
  key.name === 'firstRelease' && !key.isTag ? 'release' : (eventColumnOf(key) ?? 'tags[{name:String}]')
