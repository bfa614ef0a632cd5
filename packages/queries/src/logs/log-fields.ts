/**
 * Names of what a line of a log has, as searches and Sentry's public API say them; every other name is an attribute. What
 * the search field offers of them.
 */
import { ExploreError, type Narrowing } from '../explore/bounded-query.ts'
import type { ExploreSubject } from '../explore/explore-spans.ts'
import type { SearchSubject } from '../explore/span-conditions.ts'
import { SHARED_FIELDS, type SpanField } from '../explore/span-fields.ts'
import type { KnownKey, SuggestSubject } from '../explore/span-suggestions.ts'

const text = (sql: string): SpanField => ({ kind: 'text', sql })
const SEVERITY = text('severity')
const BODY = text('body')
const TRACE = text('trace_id')
/** A place behind its time, which names the line. */
export const PLACE = ['sequence', 'log_partition', 'log_position', 'item_index', 'row_index'] as const
export const ID_SQL = `concat(toString(toUnixTimestamp64Micro(timestamp)), '-', ${PLACE.map(
  (column) => `toString(${column})`,
).join(", '-', ")})`
const ID = text(ID_SQL)
const NUMBER: SpanField = { kind: 'number', sql: 'severity_number' }

const FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['severity', SEVERITY],
  ['level', SEVERITY],
  ['log.severity', SEVERITY],
  ['severity_number', NUMBER],
  ['log.severity_number', NUMBER],
  ['message', BODY],
  ['body', BODY],
  ['log.body', BODY],
  ['id', ID],
  ['sentry.item_id', ID],
  ['trace', TRACE],
  ['trace_id', TRACE],
  ['span_id', text('span_id')],
  ...SHARED_FIELDS,
])

const logFieldOf = (name: string, isTag = false): SpanField | undefined =>
  isTag ? undefined : FIELDS.get(name)

/** As the engine's `lower` does it: the index on pieces of bodies is over that. */
const asciiLower = (pattern: string): string => pattern.replace(/[A-Z]+/g, (word) => word.toLowerCase())

export const LOG_SEARCH: SearchSubject = {
  fieldOf: logFieldOf,
  textCondition: (pattern, bind) => `lower(body) LIKE ${bind(asciiLower(pattern))}`,
}

export const FEWER_LINES: Narrowing = {
  what: 'log lines',
  hint: 'Choose a shorter time, or a longer text: single letters are in every line.',
}

const COUNTED = /^(count|epm|eps)\((?:message)?\)$/

/** Lines have no duration and no status: they are counted, in all or by the minute or second. */
export const LOG_ROWS: ExploreSubject = {
  ...LOG_SEARCH,
  table: 'logs',
  narrowing: FEWER_LINES,
  ties: PLACE.map((column) => `${column} DESC`),
  measureOf(written) {
    const name = COUNTED.exec(written)?.[1]
    if (name === undefined)
      throw new ExploreError(`"${written}" cannot be computed of logs`, 'Known are count(), epm() and eps().')
    return `${name}()`
  },
}

const KEYS: readonly KnownKey[] = [
  { key: 'severity', kind: 'choice', description: 'trace, debug, info, warn, error, fatal' },
  { key: 'message', kind: 'text', description: 'The whole line; words alone are looked for anywhere in it' },
  { key: 'has', kind: 'key', description: 'The field or attribute is set at all' },
  { key: 'trace', kind: 'text', description: 'Trace id' },
  { key: 'release', kind: 'text', description: 'Release that sent it' },
  { key: 'environment', kind: 'text', description: 'Where it ran: production, staging, …' },
  { key: 'severity_number', kind: 'number', description: '1 to 24, like >=17 for errors and worse' },
  { key: 'user', kind: 'text', description: 'A user, like id:42' },
  { key: 'platform', kind: 'text', description: 'Language or runtime' },
  { key: 'browser', kind: 'text', description: 'Name of the browser' },
  { key: 'os', kind: 'text', description: 'Operating system' },
  { key: 'sdk.name', kind: 'text', description: 'SDK that sent it' },
  { key: 'sdk.version', kind: 'text', description: 'Its version' },
]

export const LOG_SUGGESTIONS: SuggestSubject = {
  table: 'logs',
  fieldOf: logFieldOf,
  keys: KEYS,
  fixed: new Map([
    [
      'severity_number',
      [
        { value: '>=17', description: 'Errors and worse' },
        { value: '>=13', description: 'Warnings and worse' },
        { value: '<9', description: 'Debug and trace' },
      ],
    ],
  ]),
  notOffered: new Set(['trace', 'trace_id', 'span_id', 'timestamp', 'message', 'body']),
}
