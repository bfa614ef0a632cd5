/**
 * What a name in a search means. Fields of an issue are answered from the records, fields of an event from
 * telemetry; every other name is a tag. Maps, not objects: `__proto__:x` must be a tag like any other.
 */
import { TAG_COLUMNS } from '@sonde/stores'
import {
  type FilterTerm,
  type HasTerm,
  type Search,
  SearchError,
  type SearchKey,
  type SearchTerm,
  type TextTerm,
} from './search-term.ts'

export type IssueField =
  | 'is'
  | 'level'
  | 'platform'
  | 'logger'
  | 'title'
  | 'culprit'
  | 'firstRelease'
  | 'shortId'
  | 'issueId'
  | 'project'
  | 'projectId'
  | 'timesSeen'
  | 'firstSeen'
  | 'lastSeen'
  | 'unhandled'
  | 'assigned'
  | 'assignedOrSuggested'
  | 'bookmarks'
  | 'subscribed'
  | 'priority'
  | 'category'
  | 'type'

const ISSUE_FIELDS: ReadonlyMap<string, IssueField> = new Map([
  ['is', 'is'],
  ['level', 'level'],
  ['platform', 'platform'],
  ['platform.name', 'platform'],
  ['logger', 'logger'],
  ['title', 'title'],
  ['culprit', 'culprit'],
  ['location', 'culprit'],
  ['firstRelease', 'firstRelease'],
  ['first_release', 'firstRelease'],
  ['first-release', 'firstRelease'],
  ['issue', 'shortId'],
  ['issue.id', 'issueId'],
  ['project', 'project'],
  ['project.name', 'project'],
  ['project.id', 'projectId'],
  ['timesSeen', 'timesSeen'],
  ['times_seen', 'timesSeen'],
  ['firstSeen', 'firstSeen'],
  ['first_seen', 'firstSeen'],
  ['age', 'firstSeen'],
  ['lastSeen', 'lastSeen'],
  ['last_seen', 'lastSeen'],
  ['error.unhandled', 'unhandled'],
  ['assigned', 'assigned'],
  ['bookmarks', 'bookmarks'],
  ['subscribed', 'subscribed'],
  ['issue.priority', 'priority'],
  ['issue.category', 'category'],
  ['issue.type', 'type'],
  ['assigned_to', 'assigned'],
  ['assigned_or_suggested', 'assignedOrSuggested'],
])

/**
 * Search name → expression over the columns of `events`. A name that is a field of issues too is answered from here only where nothing but events is searched.
 */
const EVENT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['level', 'level'],
  ['platform', 'platform'],
  ['platform.name', 'platform'],
  ['title', 'title'],
  ['culprit', 'culprit'],
  ['location', 'culprit'],
  ['logger', "tags['logger']"],
  ['error.unhandled', "if(handled = 'no', 'true', 'false')"],
  ['release', 'release'],
  ['dist', 'dist'],
  ['environment', 'environment'],
  ['transaction', 'transaction'],
  ['message', 'message'],
  ['error.type', 'exception_type'],
  ['error.value', 'exception_value'],
  ['error.handled', "if(handled = 'yes', 'true', if(handled = 'no', 'false', ''))"],
  ['event.type', 'type'],
  // As TYPES_OF_CATEGORY has them; of the others no event is stored.
  [
    'issue.category',
    "multiIf(type = 'feedback', type, startsWith(type, 'performance_'), 'performance', 'error')",
  ],
  ['issue.type', 'type'],
  ['user', 'user_key'],
  ['user.id', "if(startsWith(user_key, 'id:'), substring(user_key, 4), '')"],
  ['user.email', 'user_email'],
  ['user.username', 'user_username'],
  ['user.ip', 'user_ip'],
  ['url', 'url'],
  ['http.url', 'url'],
  ['sdk.name', 'sdk_name'],
  ['sdk.version', 'sdk_version'],
  ['trace', 'trace_id'],
  ['id', 'toString(event_id)'],
])

export const issueFieldOf = (key: SearchKey): IssueField | undefined =>
  key.isTag ? undefined : ISSUE_FIELDS.get(key.name)
/** Undefined: it is a tag. */
export const eventColumnOf = (key: SearchKey): string | undefined =>
  key.isTag ? undefined : EVENT_FIELDS.get(key.name)
/** Of a tag that is searched often; undefined: it is read from all tags. */
export const tagColumnOf = ({ name }: SearchKey): string | undefined => TAG_COLUMNS.get(name)

export type IssueTerm = TextTerm | FilterTerm | HasTerm
export type EventTerm = FilterTerm | HasTerm
export type SplitSearch = { readonly issue: readonly IssueTerm[]; readonly event: readonly EventTerm[] }

const isEventTerm = (term: SearchTerm): term is EventTerm =>
  term.kind !== 'text' && issueFieldOf(term.key) === undefined

/** Which engine answers which term. */
export function splitSearch(search: Search): SplitSearch {
  return {
    issue: search.filter((term) => !isEventTerm(term)),
    event: search.filter((term) => isEventTerm(term)),
  }
}

/** For fields that know only equality. */
export function refuseOperator(term: FilterTerm): void {
  if (term.operator !== '=') {
    throw new SearchError(`"${term.key.name}" cannot be compared with ${term.operator}`, term.at)
  }
}
