/** The addresses within one issue. Each keeps the filter of events that the page has, and nothing else of its query. */
import { type EventRef, paths } from '../../paths.ts'
import {
  type EventFilter,
  filterSearch,
  hasTerm,
  NO_FILTER,
  toggleTerm,
} from '../event-filter/event-filter.ts'

export type IssueLinks = {
  readonly filter: EventFilter
  /** The issue with another filter, showing its latest event that is left. */
  readonly withFilter: (change: Partial<EventFilter>) => string
  /** With one tag's value instead of another one, or without it when it is there. */
  readonly withTag: (key: string, value: string) => string
  readonly hasTag: (key: string, value: string) => boolean
  readonly event: (ref: EventRef) => string
  readonly list: () => string
  /** Of the list of events, with another filter. */
  readonly listWith: (change: Partial<EventFilter>) => string
  readonly tag: (key: string) => string
  readonly json: (eventId: string) => string
  readonly attachment: (eventId: string, id: number) => string
  /** As Markdown: a question to a language model. */
  readonly prompt: (eventId: string) => string
  /** As JSON: the vitals of those who had the error. */
  readonly speed: () => string
  readonly unfiltered: () => string
}

export function issueLinks(org: string, project: string, issue: string, filter: EventFilter): IssueLinks {
  const here = paths.issue(org, project, issue)
  const search = filterSearch(filter)
  const withFilter = (change: Partial<EventFilter>): string => here + filterSearch({ ...filter, ...change })
  return {
    filter,
    withFilter,
    withTag: (key, value) => withFilter({ query: toggleTerm(filter.query, searchTerm(key, value)) }),
    hasTag: (key, value) => hasTerm(filter.query, searchTerm(key, value)),
    event: (ref) => (ref === 'latest' ? here : paths.event(org, project, issue, ref)) + search,
    list: () => paths.issueEvents(org, project, issue) + search,
    listWith: (change) => paths.issueEvents(org, project, issue) + filterSearch({ ...filter, ...change }),
    tag: (key) => paths.issueTag(org, project, issue, key) + search,
    json: (eventId) => paths.eventJson(org, project, issue, eventId),
    attachment: (eventId, id) => paths.attachment(org, project, issue, eventId, id),
    prompt: (eventId) => paths.issuePrompt(org, project, issue, eventId),
    speed: () => paths.issueSpeed(org, project, issue) + search,
    unfiltered: () => here + filterSearch(NO_FILTER),
  }
}

/** A tag and its value as a term of the search: what a press on a tag asks for. */
const PLAIN_KEY = /^[A-Za-z0-9_.-]+$/
const PLAIN_VALUE = /^[A-Za-z0-9_.@/+-]+$/

/** Names that the search reads as a field with another meaning than the tag's. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'is',
  'has',
  'title',
  'culprit',
  'location',
  'issue',
  'issue.id',
  'project',
  'project.name',
  'project.id',
  'age',
  'timesSeen',
  'times_seen',
  'firstSeen',
  'first_seen',
  'lastSeen',
  'last_seen',
  'message',
  'id',
])

/** `browser.name:Firefox`, `os:"Mac OS X"`, `tags[title]:x`. Line breaks become spaces: the search is one line. */
export function searchTerm(key: string, value: string): string {
  const name = PLAIN_KEY.test(key) && !OTHER_FIELDS.has(key) ? key : tagName(key)
  const text = oneLine(value)
  return PLAIN_VALUE.test(text) ? `${name}:${text}` : `${name}:"${text.replaceAll(/[\\"*]/g, '\\$&')}"`
}

/** Quotes, backslashes and closing brackets cannot stand in a tag's name; tags that SDKs send have none. */
function tagName(key: string): string {
  return PLAIN_KEY.test(key) ? `tags[${key}]` : `tags["${oneLine(key).replaceAll(/["\\\]]/g, '')}"]`
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\t]+/g, ' ')
