/** Which values the tags of an issue's events have: "all on Safari", "all since 2.1". */
import { FIRST_PAGE, offsetOf, offsetPage, type Page, pageLimit, parseCursor } from '../cursor.ts'
import { type EventNarrowing, narrowingCondition } from '../events/narrowed-event.ts'
import type { QueryDeps } from '../query-deps.ts'
import { escapeLike, SearchError } from '../search/search-term.ts'
import type { IssueRow } from './issue-row.ts'

/** All values of one tag of an issue, page by page. */
export type IssueTagValuesInput = EventNarrowing & {
  readonly key: string
  /** Only values that contain it, in any case. Shares stay those of all values. */
  readonly contains?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export type IssueTagValues = Page<TagValue> & {
  readonly key: string
  /** Events that have the tag, among the newest `MAX_TAG_EVENTS` of those asked for. */
  readonly total: number
  readonly distinct: number
}

/** A page about one tag may look further back than the overview: about 100 ms. */
const MAX_TAG_EVENTS = 100_000

/**
 * Most frequent first, at most 100 a page. Reads the end of one issue's range of `events`, one tag. `issue` comes
 * from `findIssue` or `issueDetail`. A tag that no event has is an empty page. Throws `SearchError`.
 */
export async function issueTagValues(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  { key, contains = '', limit: requested, cursor: at, ...narrowing }: IssueTagValuesInput,
): Promise<IssueTagValues> {
  const cursor = at === undefined ? FIRST_PAGE : parseCursor(at)
  if (!cursor) throw new SearchError(`"${at}" is not a cursor`, 0)
  const limit = pageLimit(requested)
  const condition = narrowingCondition(narrowing)
  const tagged = `SELECT tags[{key:String}] AS value, timestamp FROM events
    WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND value != '' AND ${condition.sql}
    ORDER BY timestamp DESC LIMIT {sample:UInt32}`
  const params = {
    ...condition.params,
    project: issue.project.id,
    issue: issue.id,
    key,
    sample: MAX_TAG_EVENTS,
    contains: `%${escapeLike(contains)}%`,
    limit: limit + 1,
    offset: Math.min(offsetOf(cursor), MAX_TAG_EVENTS),
  }
  const [[all], rows] = await Promise.all([
    telemetry.query<{ total: number; distinct: number }>(
      `SELECT count() AS total, uniqExact(value) AS distinct FROM (${tagged})`,
      params,
    ),
    telemetry.query<Omit<TagValue, 'share'>>(
      `SELECT value, count() AS count, toUnixTimestamp64Milli(min(timestamp)) AS firstSeenMs,
         toUnixTimestamp64Milli(max(timestamp)) AS lastSeenMs
       FROM (${tagged}) WHERE value ILIKE {contains:String}
       GROUP BY value ORDER BY count DESC, value LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      params,
    ),
  ])
  const { total = 0, distinct = 0 } = all ?? {}
  const values = rows.map((row) => ({ ...row, share: row.count / total }))
  return { ...offsetPage(values, cursor, limit), key, total, distinct }
}

export type TagSummary = {
  readonly key: string
  /** Events that have the tag, among the newest `SAMPLED_EVENTS` of those asked for. */
  readonly total: number
  readonly distinct: number
  /** Most frequent first. */
  readonly values: readonly TagValue[]
}
export type TagValue = {
  readonly value: string
  readonly count: number
  /** Of `total`, 0 to 1. */
  readonly share: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

/** An issue may have millions of events; the newest ten thousand tell the shares as well. */
const SAMPLED_EVENTS = 10_000

/** With a search, environments or a period only events that match are counted. */
export type IssueTagsInput = EventNarrowing & {
  readonly keys: number
  readonly valuesPerKey: number
  /** Only this tag. */
  readonly key?: string | undefined
}

/**
 * Most frequent tags first. Reads the end of one issue's range of `events` (ordering key project, issue, timestamp).
 * `issue` comes from `findIssue` or `issueDetail`, which looked it up within a grant. Throws `SearchError`.
 */
export async function issueTags(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issue: Pick<IssueRow, 'id' | 'project'>,
  { keys, valuesPerKey, key, ...narrowing }: IssueTagsInput,
): Promise<readonly TagSummary[]> {
  const condition = narrowingCondition(narrowing)
  const rows = await telemetry.query<{
    key: string
    total: number
    distinct: number
    values: [string, number, number, number][]
  }>(
    `SELECT key, sum(n) AS total, count() AS distinct,
       arraySlice(arraySort(v -> (-toInt64(v.2), v.1), groupArray((value, n, first_ms, last_ms))), 1, {values:UInt32})
         AS values
     FROM (
       SELECT tag.1 AS key, tag.2 AS value, count() AS n, toUnixTimestamp64Milli(min(timestamp)) AS first_ms,
         toUnixTimestamp64Milli(max(timestamp)) AS last_ms
       FROM (
         SELECT tags, timestamp FROM events
         WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64} AND ${condition.sql}
         ORDER BY timestamp DESC LIMIT {sample:UInt32}
       )
       ARRAY JOIN CAST(tags, 'Array(Tuple(String, String))') AS tag
       WHERE value != '' ${key === undefined ? '' : 'AND key = {key:String}'}
       GROUP BY key, value
     )
     GROUP BY key ORDER BY total DESC, key LIMIT {keys:UInt32}`,
    {
      ...condition.params,
      project: issue.project.id,
      issue: issue.id,
      sample: SAMPLED_EVENTS,
      values: valuesPerKey,
      keys,
      ...(key === undefined ? {} : { key }),
    },
  )
  return rows.map(({ values, ...row }) => ({
    ...row,
    values: values.map(([value, count, firstSeenMs, lastSeenMs]) => ({
      value,
      count,
      share: count / row.total,
      firstSeenMs,
      lastSeenMs,
    })),
  }))
}
