/** Search terms about issues as conditions over `issue` joined with `project`. Values are bound by Kysely. */
import { ISSUE_CATEGORIES, TYPES_OF_CATEGORY } from '@sonde/protocol/issue-category'
import { PRIORITIES, PRIORITY_VALUES, REVIEW_DAYS, type TextIndex, textIndexOf } from '@sonde/stores'
import { type Expression, sql, type SqlBool } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'
import { assignedTo, isAssigned, isMarked, markedBy } from './assigned-conditions.ts'
import type { IssueExpressions } from './issue-expressions.ts'
import { type IssueField, issueFieldOf, type IssueTerm, refuseOperator } from './search-fields.ts'
import {
  escapeLike,
  exactText,
  type FilterTerm,
  isPattern,
  likePattern,
  SearchError,
  type SearchValue,
  timeBound,
} from './search-term.ts'
import { assignedOrSuggested } from './suggested-conditions.ts'

// Searches for text look at those issues alone that the index of texts names, unless it names very many.

/**
 * One in twenty of 100,000 issues. Where more match, a walk along the order of the list finds a page's worth of them
 * sooner than all of them could be sorted.
 */
const MAX_INDEXED = 5_000

type IndexedText = NonNullable<ReturnType<TextIndex['issuesWith']>>

/** Undefined: no text to look up, or too many have it. The rows are a superset: the terms themselves still decide. */
export async function indexedText(
  { records }: Pick<QueryDeps, 'records'>,
  terms: readonly IssueTerm[],
): Promise<IndexedText | undefined> {
  const texts = terms.flatMap(textsOf)
  const index = textIndexOf(records)
  const probe = index.issuesWith(texts, MAX_INDEXED + 1)
  if (!probe) return undefined
  const { rows } = await probe.execute(records)
  return rows.length > MAX_INDEXED ? undefined : index.issuesWith(texts, MAX_INDEXED)
}

/** What every issue that fulfils the term has in its title or culprit. One of several values says nothing of each. */
function textsOf(term: IssueTerm): readonly string[] {
  if (term.negated || term.kind === 'has') return []
  if (term.kind === 'text') return partsOf(term.value)
  const field = issueFieldOf(term.key)
  const [only, ...others] = term.values
  return only && others.length === 0 && (field === 'title' || field === 'culprit') ? partsOf(only) : []
}

/** As `like` compares them: lower case on both sides. */
const partsOf = ({ parts }: SearchValue): readonly string[] => parts.map((part) => part.toLowerCase())

/** `is:…`: the states of an issue, as a literal table. */
const STATES: ReadonlyMap<string, (eb: IssueExpressions) => Expression<SqlBool>> = new Map([
  ['unresolved', (eb: IssueExpressions) => eb('issue.status', '=', 'unresolved')],
  ['resolved', (eb: IssueExpressions) => eb('issue.status', '=', 'resolved')],
  ['ignored', (eb: IssueExpressions) => eb('issue.status', '=', 'ignored')],
  ['archived', (eb: IssueExpressions) => eb('issue.status', '=', 'ignored')],
  ['new', (eb: IssueExpressions) => eb('issue.substatus', '=', 'new')],
  ['ongoing', (eb: IssueExpressions) => eb('issue.substatus', '=', 'ongoing')],
  ['regressed', (eb: IssueExpressions) => eb('issue.substatus', '=', 'regressed')],
  ['unhandled', (eb: IssueExpressions) => eb('issue.is_unhandled', '=', 1)],
  ['handled', (eb: IssueExpressions) => eb('issue.is_unhandled', '=', 0)],
  ['escalating', (eb: IssueExpressions) => eb('issue.substatus', '=', 'escalating')],
  [
    'archived_until_escalating',
    (eb: IssueExpressions) => eb('issue.substatus', '=', 'archived_until_escalating'),
  ],
  [
    'archived_until_condition_met',
    (eb: IssueExpressions) => eb('issue.substatus', '=', 'archived_until_condition_met'),
  ],
  ['archived_forever', (eb: IssueExpressions) => eb('issue.substatus', '=', 'archived_forever')],
  ['assigned', (eb: IssueExpressions) => isAssigned(eb)],
  ['unassigned', (eb: IssueExpressions) => eb.not(isAssigned(eb))],
])

/** Somebody is to look at it, and it did not come up too long ago. */
const isForReview = (eb: IssueExpressions, nowMs: number): Expression<SqlBool> =>
  eb.and([
    eb('issue.status', '=', 'unresolved'),
    // A literal, as the index of those has it.
    sql<SqlBool>`${eb.ref('issue.review_reason')} <> ''`,
    eb('issue.review_ms', '>', nowMs - REVIEW_DAYS * 86_400_000),
  ])

function isCondition(
  eb: IssueExpressions,
  state: string,
  at: number,
  { nowMs, personId }: Asking,
): Expression<SqlBool> {
  if (state === 'for_review') return isForReview(eb, nowMs)
  if (state === 'reviewed') return eb.not(isForReview(eb, nowMs))
  if (state === 'bookmarked') return isMarked(eb, 'bookmarks', personId)
  if (state === 'subscribed') return isMarked(eb, 'subscribed', personId)
  const condition = STATES.get(state)
  if (!condition) {
    const known = [...STATES.keys(), 'for_review', 'reviewed', 'bookmarked', 'subscribed'].join(', ')
    throw new SearchError(`"is:${state}" is not known`, at, `Known are: ${known}.`)
  }
  return condition(eb)
}

/** For people who look for a state; `archived` is another word for `ignored`. */
export const STATE_DESCRIPTIONS = [
  { value: 'unresolved', description: 'Open: somebody has to look at it' },
  { value: 'resolved', description: 'Done, and it has not come back' },
  { value: 'ignored', description: 'Put away' },
  { value: 'for_review', description: 'New or back within a week, and nobody has reviewed it' },
  { value: 'assigned', description: 'Somebody has it, or a team' },
  { value: 'unassigned', description: 'Nobody has it' },
  { value: 'bookmarked', description: 'Has your bookmark' },
  { value: 'escalating', description: 'Came back because it came much more often' },
  { value: 'new', description: 'Open and never touched' },
  { value: 'regressed', description: 'Came back after it was resolved' },
  { value: 'ongoing', description: 'Open for a while, or reopened' },
  { value: 'unhandled', description: 'Reached the top: nobody caught it' },
  { value: 'handled', description: 'Every event was caught' },
] as const

type Condition = Expression<SqlBool>
type TextColumn =
  | 'issue.level'
  | 'issue.type'
  | 'issue.platform'
  | 'issue.logger'
  | 'issue.title'
  | 'issue.culprit'
  | 'issue.first_release'
  | 'project.slug'

const TEXT_COLUMNS: Partial<Record<IssueField, TextColumn>> = {
  level: 'issue.level',
  type: 'issue.type',
  platform: 'issue.platform',
  logger: 'issue.logger',
  title: 'issue.title',
  culprit: 'issue.culprit',
  firstRelease: 'issue.first_release',
  project: 'project.slug',
}

type Requested = {
  /** Who asks: `me` in a search. Undefined: nobody. */
  readonly personId: string | undefined
  readonly issue: readonly IssueTerm[]
  readonly text: IndexedText | undefined
  readonly nowMs: number
  readonly sinceMs: number | undefined
  readonly untilMs: number | undefined
}

/** All of a request's terms and its time. Throws `SearchError` for a value that a field does not have. */
export const issueConditions = (eb: IssueExpressions, requested: Requested): Condition =>
  eb.and([
    ...requested.issue.map((term) => issueCondition(eb, term, requested)),
    ...(requested.text ? [sql<SqlBool>`${eb.ref('issue.id')} in (${requested.text})`] : []),
    ...(requested.sinceMs === undefined ? [] : [eb('issue.last_seen_ms', '>=', requested.sinceMs)]),
    ...(requested.untilMs === undefined ? [] : [eb('issue.first_seen_ms', '<', requested.untilMs)]),
  ])

type Asking = Pick<Requested, 'nowMs' | 'personId'>

function issueCondition(eb: IssueExpressions, term: IssueTerm, asking: Asking): Condition {
  const positive = positiveCondition(eb, term, asking)
  return term.negated ? eb.not(positive) : positive
}

function positiveCondition(eb: IssueExpressions, term: IssueTerm, asking: Asking): Condition {
  if (term.kind === 'text') {
    // "time out" anywhere in the title or the place; a pattern says itself where it begins.
    const pattern = isPattern(term.value) ? likePattern(term.value) : `%${escapeLike(exactText(term.value))}%`
    return eb.or([like(eb, 'issue.title', pattern), like(eb, 'issue.culprit', pattern)])
  }
  const field = issueFieldOf(term.key)
  const column = field === undefined ? undefined : TEXT_COLUMNS[field]
  if (term.kind === 'has' && field === 'assigned') return isAssigned(eb)
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
      const { operator, ms } = timeBound(term, asking.nowMs)
      return eb(field === 'firstSeen' ? 'issue.first_seen_ms' : 'issue.last_seen_ms', operator, ms)
    }
    default:
      refuseOperator(term)
      return eb.or(term.values.map((value) => valueCondition(eb, field, term, value, asking)))
  }
}

function valueCondition(
  eb: IssueExpressions,
  field: IssueField | undefined,
  term: FilterTerm,
  value: SearchValue,
  asking: Asking,
): Condition {
  const text = exactText(value)
  const { personId } = asking
  switch (field) {
    case 'is':
      return isCondition(eb, text, term.at, asking)
    case 'unhandled':
      return eb('issue.is_unhandled', '=', /^(true|yes|1)$/i.test(text) ? 1 : 0)
    case 'assignedOrSuggested':
      return assignedOrSuggested(eb, text, personId)
    case 'assigned':
      return assignedTo(eb, text, personId)
    case 'bookmarks':
    case 'subscribed':
      return markedBy(eb, field, term, personId)
    case 'category':
      return isOfCategory(eb, text, term.at)
    case 'priority': {
      const priority = PRIORITIES.find((name) => name === text)
      if (priority) return eb('issue.priority', '=', PRIORITY_VALUES[priority])
      throw new SearchError(`"${text}" is no priority`, term.at, `Known are: ${PRIORITIES.join(', ')}.`)
    }
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

function isOfCategory(eb: IssueExpressions, text: string, at: number): Condition {
  const category = ISSUE_CATEGORIES.find((name) => name === text)
  if (category === undefined)
    throw new SearchError(`"${text}" is no category`, at, `Known are: ${ISSUE_CATEGORIES.join(', ')}.`)
  // A literal, as the index of feedback has it.
  if (category === 'feedback') return sql<SqlBool>`${eb.ref('issue.type')} = 'feedback'`
  if (category !== 'error') return eb('issue.type', 'in', [...TYPES_OF_CATEGORY[category]])
  return eb('issue.type', 'not in', Object.values(TYPES_OF_CATEGORY).flat())
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
