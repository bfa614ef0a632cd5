/** What a list of issues is asked for, and the same after it was checked. */
import type { Grant } from '@sonde/access'
import { DEFAULT_QUERY, type IssueSort, MAX_HITS } from '../contract.ts'
import { FIRST_PAGE, pageLimit, parseCursor } from '../cursor.ts'
import { personOf } from '../person-of.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { environmentTerms } from '../search/event-search.ts'
import { indexedText, issueConditions } from '../search/issue-conditions.ts'
import { parseSearch } from '../search/parse-search.ts'
import { type IssueField, issueFieldOf, type IssueTerm, splitSearch } from '../search/search-fields.ts'
import { parsePeriodMs, SearchError } from '../search/search-term.ts'

export type ListIssuesInput = {
  readonly grant: Grant<'event:read', 'org' | 'project'>
  /** See `parse-search.ts`. Undefined: `is:unresolved`; the empty text: everything. */
  readonly query?: string | undefined
  /** `24h`, `14d`, …: only issues seen within it. */
  readonly statsPeriod?: string | undefined
  /** Instead of a period: ISO times, UTC unless they say otherwise; both or neither. `end` is exclusive. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Events and users are counted within the period if there is one. */
  readonly sort?: IssueSort | undefined
  /** 1 to 100; 25 unless told. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Only events of these. */
  readonly environments?: readonly string[] | undefined
  /** Only these projects of the grant; ids outside of it are ignored. */
  readonly projectIds?: readonly number[] | undefined
}

export type IssueRequest = Awaited<ReturnType<typeof issueRequest>>

/** Reads the input; everything after it works with checked values. */
export async function issueRequest(deps: QueryDeps, input: ListIssuesInput) {
  const nowMs = deps.clock.nowMs()
  const searched = splitSearch(parseSearch(input.query ?? DEFAULT_QUERY))
  const { event } = searched
  const issue = namesCategory(searched.issue) ? searched.issue : [...searched.issue, ONLY_ERRORS]
  const visible = await projectIdsOf(deps, input.grant)
  return {
    nowMs,
    personId: personOf(input.grant.viewer),
    issue,
    /** Where few issues can have the text that is looked for: those. */
    text: await indexedText(deps, issue),
    event: [...event, ...environmentTerms(input.environments)],
    sort: input.sort ?? 'date',
    ...spanOf(input, nowMs),
    limit: pageLimit(input.limit),
    cursor: input.cursor === undefined ? FIRST_PAGE : cursorFrom(input.cursor),
    projectIds: input.projectIds?.length ? visible.filter((id) => input.projectIds?.includes(id)) : visible,
  }
}

/** Errors, unless the search names a category or type of issue, or one issue: what people write has a list of its own. */
const ONLY_ERRORS: IssueTerm = {
  kind: 'filter',
  key: { name: 'issue.category', isTag: false },
  operator: '=',
  values: [{ parts: ['error'] }],
  negated: false,
  at: 0,
}
const NAMING: ReadonlySet<IssueField | undefined> = new Set(['category', 'type', 'issueId', 'shortId'])
const namesCategory = (terms: readonly IssueTerm[]): boolean =>
  terms.some((term) => term.kind === 'filter' && NAMING.has(issueFieldOf(term.key)))

type Span = {
  readonly sinceMs: number | undefined
  /** Exclusive. */
  readonly untilMs: number | undefined
}

/** Issues count that were seen since then, and first before the end; events count that lie between. */
function spanOf({ start, end, statsPeriod }: ListIssuesInput, nowMs: number): Span {
  if (start || end) {
    const [sinceMs, untilMs] = [timeOf(start), timeOf(end)]
    if (sinceMs !== undefined && untilMs !== undefined && untilMs > sinceMs) return { sinceMs, untilMs }
    const message = `"${start ?? ''}" to "${end ?? ''}" is not a range of time`
    throw new SearchError(message, 0, 'For example start=2026-01-31T10:00:00Z and end=2026-02-01T10:00:00Z.')
  }
  if (statsPeriod === undefined || statsPeriod === '') return { sinceMs: undefined, untilMs: undefined }
  const periodMs = parsePeriodMs(statsPeriod)
  if (!periodMs) throw new SearchError(`"${statsPeriod}" is not a period`, 0, 'For example 24h or 14d.')
  return { sinceMs: nowMs - periodMs, untilMs: undefined }
}

/** Without a zone it is UTC, as Sentry's links mean it. Undefined: missing, before 1970, or no time. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/.test(text)) return undefined
  const hasZone = !text.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
  const ms = Date.parse(hasZone ? text : `${text}Z`)
  return ms >= 0 ? ms : undefined
}

function cursorFrom(text: string) {
  const cursor = parseCursor(text)
  if (!cursor) throw new SearchError(`"${text}" is not a cursor`, 0)
  return cursor
}

/** How many issues match, counted up to a limit so that it costs no scan. */
export async function countHits({ records }: QueryDeps, request: IssueRequest): Promise<number> {
  if (request.projectIds.length === 0) return 0
  const { n } = await records
    .selectFrom((eb) => {
      const matching = eb
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select('issue.id')
        .where('issue.project_id', 'in', request.projectIds)
        .where('issue.event_count', '>', 0)
        .where((where) => issueConditions(where, request))
        .limit(MAX_HITS)
      return matching.as('matching')
    })
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
