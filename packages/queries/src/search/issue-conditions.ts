/** Search terms about issues as conditions over `issue` joined with `project`. Values are bound by Kysely. */
import { type Expression, sql, type SqlBool } from 'kysely'
import type { IssueExpressions } from './issue-expressions.ts'
import type { IndexedText } from './indexed-text.ts'
import { isCondition } from './is-condition.ts'
import { SearchError } from './search-error.ts'
import { type IssueField, issueFieldOf, type IssueTerm, refuseOperator } from './search-fields.ts'
import {
  escapeLike,
  exactText,
  type FilterTerm,
  isPattern,
  likePattern,
  type SearchValue,
} from './search-term.ts'
import { timeBound } from './search-time.ts'

type Condition = Expression<SqlBool>
type TextColumn =
  | 'issue.level'
  | 'issue.platform'
  | 'issue.logger'
  | 'issue.title'
  | 'issue.culprit'
  | 'issue.first_release'
  | 'project.slug'

const TEXT_COLUMNS: Partial<Record<IssueField, TextColumn>> = {
  level: 'issue.level',
  platform: 'issue.platform',
  logger: 'issue.logger',
  title: 'issue.title',
  culprit: 'issue.culprit',
  firstRelease: 'issue.first_release',
  project: 'project.slug',
}

type Asked = {
  readonly issue: readonly IssueTerm[]
  readonly text: IndexedText | undefined
  readonly nowMs: number
  readonly sinceMs: number | undefined
  readonly untilMs: number | undefined
}

/** All of a request's terms and its time. Throws `SearchError` for a value that a field does not have. */
export const issueConditions = (eb: IssueExpressions, asked: Asked): Condition =>
  eb.and([
    ...asked.issue.map((term) => issueCondition(eb, term, asked.nowMs)),
    ...(asked.text ? [sql<SqlBool>`${eb.ref('issue.id')} in (${asked.text})`] : []),
    ...(asked.sinceMs === undefined ? [] : [eb('issue.last_seen_ms', '>=', asked.sinceMs)]),
    ...(asked.untilMs === undefined ? [] : [eb('issue.first_seen_ms', '<', asked.untilMs)]),
  ])

function issueCondition(eb: IssueExpressions, term: IssueTerm, nowMs: number): Condition {
  const positive = positiveCondition(eb, term, nowMs)
  return term.negated ? eb.not(positive) : positive
}

function positiveCondition(eb: IssueExpressions, term: IssueTerm, nowMs: number): Condition {
  if (term.kind === 'text') {
    // "time out" anywhere in the title or the place; a pattern says itself where it begins.
    const pattern = isPattern(term.value) ? likePattern(term.value) : `%${escapeLike(exactText(term.value))}%`
    return eb.or([like(eb, 'issue.title', pattern), like(eb, 'issue.culprit', pattern)])
  }
  const field = issueFieldOf(term.key)
  const column = field === undefined ? undefined : TEXT_COLUMNS[field]
  if (term.kind === 'has') return column ? eb(column, '!=', '') : eb.lit(true)
  if (column) {
    refuseOperator(term)
    return eb.or(term.values.map((value) => textMatches(eb, column, value)))
  }
  switch (field) {
    case 'timesSeen':
      return eb.or(term.values.map((value) => eb('issue.event_count', term.operator, integer(term, value))))
    case 'firstSeen':
    case 'lastSeen': {
      const { operator, ms } = timeBound(term, nowMs)
      return eb(field === 'firstSeen' ? 'issue.first_seen_ms' : 'issue.last_seen_ms', operator, ms)
    }
    default:
      refuseOperator(term)
      return eb.or(term.values.map((value) => valueCondition(eb, field, term, value)))
  }
}

function valueCondition(
  eb: IssueExpressions,
  field: IssueField | undefined,
  term: FilterTerm,
  value: SearchValue,
): Condition {
  const text = exactText(value)
  switch (field) {
    case 'is':
      return isCondition(eb, text, term.at)
    case 'unhandled':
      return eb('issue.is_unhandled', '=', /^(true|yes|1)$/i.test(text) ? 1 : 0)
    case 'issueId':
      return eb('issue.id', '=', integer(term, value))
    case 'projectId':
      return eb('issue.project_id', '=', integer(term, value))
    case 'shortId': {
      const match = /^(.+)-(\d{1,15})$/.exec(text)
      if (!match) throw new SearchError('"issue" needs a short id', term.at, 'For example issue:SHOP-42.')
      return eb.and([
        eb('project.slug', '=', (match[1] ?? '').toLowerCase()),
        eb('issue.short_number', '=', Number(match[2])),
      ])
    }
    default:
      throw new SearchError(`"${term.key.name}" cannot be searched`, term.at)
  }
}

const textMatches = (eb: IssueExpressions, column: TextColumn, value: SearchValue): Condition =>
  isPattern(value) ? like(eb, column, likePattern(value)) : eb(column, '=', exactText(value))

/** `lower` on both sides: SQLite's LIKE ignores the case of ASCII, PostgreSQL's does not. */
const like = (eb: IssueExpressions, column: TextColumn, pattern: string): Condition =>
  sql<SqlBool>`lower(${eb.ref(column)}) like ${pattern.toLowerCase()} escape '\\'`

function integer(term: FilterTerm, value: SearchValue): number {
  const text = exactText(value)
  if (!/^\d{1,15}$/.test(text)) throw new SearchError(`"${term.key.name}" needs a whole number`, term.at)
  return Number(text)
}
