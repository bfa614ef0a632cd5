/** What the search field of Explore offers at a cursor: fields, and the attributes and values that really occur. */
import type { Grant } from '@sonde/access'
import { inProjects } from '@sonde/stores'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_SEARCH_CHARS } from '../search/parse-search.ts'
import { escapeLike, SearchError } from '../search/search-term.ts'
import { termAtCursor } from '../search/term-at-cursor.ts'
import { type SearchSuggestion, type SearchSuggestions, valueText } from '../suggest/search-suggestions.ts'
import { containing } from '../suggest/suggest-within.ts'
import { boundedQuery, createBind } from './bounded-query.ts'
import type { SearchSubject } from './span-conditions.ts'
import { attributeText, spanFieldOf } from './span-fields.ts'

export type KnownKey = {
  readonly key: string
  readonly description: string
  readonly kind: SearchSuggestion['kind']
}

/** In the order in which an empty field offers them. */
const SPAN_KEYS: readonly KnownKey[] = [
  { key: 'op', kind: 'text', description: 'Kind of work: pageload, http.client, db, …' },
  { key: 'name', kind: 'text', description: 'What was done: a statement, an address, a function' },
  { key: 'transaction', kind: 'text', description: 'Route or task that it belongs to' },
  { key: 'duration', kind: 'number', description: 'How long it took, like >500ms or >1.5s' },
  { key: 'status', kind: 'choice', description: 'ok, error for any failure, or the exact word' },
  { key: 'is_transaction', kind: 'choice', description: 'true: transactions alone' },
  { key: 'has', kind: 'key', description: 'The field or attribute is set at all' },
  { key: 'release', kind: 'text', description: 'Release that sent it' },
  { key: 'environment', kind: 'text', description: 'Where it ran: production, staging, …' },
  { key: 'project', kind: 'text', description: 'Short name of the project' },
  { key: 'platform', kind: 'text', description: 'Language or runtime' },
  { key: 'browser', kind: 'text', description: 'Name of the browser' },
  { key: 'os', kind: 'text', description: 'Operating system' },
  { key: 'device', kind: 'text', description: 'mobile, tablet, desktop' },
  { key: 'country', kind: 'text', description: 'Two letters' },
  { key: 'connection', kind: 'text', description: '4g, 3g, …' },
  { key: 'user', kind: 'text', description: 'A user, like id:42' },
  { key: 'origin', kind: 'text', description: 'What made the span' },
  { key: 'sdk.name', kind: 'text', description: 'SDK that sent it' },
  { key: 'sdk.version', kind: 'text', description: 'Its version' },
  { key: 'trace', kind: 'text', description: 'Trace id' },
  { key: 'id', kind: 'text', description: 'Span id' },
]

type FixedValues = ReadonlyMap<string, readonly { value: string; description: string }[]>

const FIXED: FixedValues = new Map([
  [
    'duration',
    [
      { value: '>100ms', description: 'Longer than a tenth of a second' },
      { value: '>1s', description: 'Longer than a second' },
      { value: '>10s', description: 'Longer than ten seconds' },
      { value: '<10ms', description: 'Shorter than a hundredth of a second' },
    ],
  ],
  [
    'is_transaction',
    [
      { value: 'true', description: 'Transactions alone' },
      { value: 'false', description: 'What is inside them' },
    ],
  ],
])
/** Different for each span: nothing worth offering. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'trace',
  'trace_id',
  'id',
  'span_id',
  'parent_span',
  'segment.id',
  'timestamp',
])

/** What is searched: where it lies, and what is known of its fields. */
export type SuggestSubject = Pick<SearchSubject, 'fieldOf'> & {
  readonly table: 'spans' | 'logs' | 'metrics' | 'replays'
  /** False: its rows have columns alone. */
  readonly hasAttributes?: false
  readonly keys: readonly KnownKey[]
  readonly fixed: FixedValues
  readonly notOffered: ReadonlySet<string>
}

const SPANS: SuggestSubject = {
  table: 'spans',
  fieldOf: spanFieldOf,
  keys: SPAN_KEYS,
  fixed: FIXED,
  notOffered: NOT_OFFERED,
}

/** The newest rows of the key's ranges are nowhere together; so many of any tell what there is (about 1 ms a thousand). */
const SAMPLE_ROWS = 50_000
const MAX_KEYS = 300

export type SpanSuggestInput = PerformanceFilter & {
  readonly text: string
  /** In UTF-16 units; the end unless told. */
  readonly cursor?: number | undefined
  readonly limit?: number | undefined
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry'>

/** Throws `SearchError` for a text longer than a search may be. */
export async function spanSuggestions(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: SpanSuggestInput,
  subject: SuggestSubject = SPANS,
): Promise<SearchSuggestions> {
  const { text, cursor = text.length, limit = 12 } = input
  if (text.length > MAX_SEARCH_CHARS)
    throw new SearchError(`a search has at most ${MAX_SEARCH_CHARS} characters`, MAX_SEARCH_CHARS)
  const term = termAtCursor(text, cursor)
  const { from, to } = term
  if (term.kind === 'key') {
    const keys = await spanKeys(deps, grant, input, subject)
    const found = containing(keys, term.prefix, ({ key }) => key).slice(0, limit)
    const suggestions = found.flatMap(({ key, ...row }): SearchSuggestion[] => {
      const written = keyText(key)
      return written === undefined
        ? []
        : [{ text: term.isName ? written : `${written}:`, label: key, ...row }]
    })
    return { offers: 'keys', key: undefined, from, to, suggestions }
  }
  const { name, isTag } = term.key
  const fixed = isTag ? undefined : subject.fixed.get(name)
  const values = fixed
    ? containing(fixed, term.prefix, ({ value }) => value).map((row) => ({
        ...row,
        count: undefined,
        text: row.value,
      }))
    : (await spanValues(deps, grant, { ...input, name, isTag, prefix: term.prefix, limit }, subject)).map(
        (row) => ({
          ...row,
          description: undefined,
          text: valueText(row.value),
        }),
      )
  const suggestions = values.map(({ value, ...row }) => ({ ...row, label: value, kind: undefined }))
  return { offers: 'values', key: name, from, to, suggestions }
}

export type SpanKey = KnownKey & { readonly count: number | undefined }

/** Fields, then attributes, the most frequent first, by a sample of the window. */
export async function spanKeys(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  filter: PerformanceFilter,
  { table, keys, fieldOf, hasAttributes }: SuggestSubject = SPANS,
): Promise<readonly SpanKey[]> {
  const where = await performanceConditions(deps, grant, filter)
  const fields = keys.map((known): SpanKey => ({ ...known, count: undefined }))
  if (where === undefined || hasAttributes === false) return fields
  const rows = await boundedQuery<{ key: string; isNumber: number; count: number }>(
    deps,
    `SELECT key, max(isNumber) AS isNumber, count() AS count FROM (
       SELECT arrayJoin(arrayConcat(arrayMap(k -> (toString(k), 0), mapKeys(strings)),
         arrayMap(k -> (toString(k), 1), mapKeys(numbers)))) AS pair, pair.1 AS key, pair.2 AS isNumber
       FROM (SELECT strings, numbers FROM ${table} WHERE ${where.sql} LIMIT ${SAMPLE_ROWS})
     ) GROUP BY key ORDER BY count DESC, key LIMIT ${MAX_KEYS}`,
    where.params,
  )
  const attributes = rows
    .filter(({ key }) => fieldOf(key) === undefined)
    .map(({ key, isNumber, count }): SpanKey => ({
      key,
      count,
      kind: isNumber === 1 ? 'number' : 'tag',
      description: isNumber === 1 ? 'Attribute, a number' : 'Attribute',
    }))
  return [...fields, ...attributes]
}

type ValuesInput = PerformanceFilter & {
  readonly name: string
  readonly isTag: boolean
  readonly prefix: string
  readonly limit: number
}

async function spanValues(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  { name, isTag, prefix, limit, ...filter }: ValuesInput,
  { table, fieldOf, notOffered, hasAttributes }: SuggestSubject,
): Promise<readonly { readonly value: string; readonly count: number | undefined }[]> {
  if (!isTag && notOffered.has(name)) return []
  if (!isTag && /^project(?:\.name)?$/.test(name)) return projectSlugs(deps, grant, prefix, limit)
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return []
  const { bind, params } = createBind('e')
  const field = fieldOf(name, isTag)
  if (field === undefined && hasAttributes === false) return []
  // Columns of few values are read whole, an attribute of so many rows as tell what there is.
  const column = field ? field.sql : attributeText(name, bind)
  const contains = prefix === '' ? '' : `AND value ILIKE ${bind(`%${escapeLike(prefix)}%`)}`
  return boundedQuery<{ value: string; count: number }>(
    deps,
    `SELECT value, count() AS count FROM (
       SELECT toString(${column}) AS value FROM ${table} WHERE ${where.sql} AND value != '' LIMIT ${SAMPLE_ROWS * (field ? 20 : 2)}
     ) WHERE 1 ${contains}
     GROUP BY value ORDER BY startsWith(lower(value), lower(${bind(prefix)})) DESC, count DESC, value
     LIMIT {limit:UInt32}`,
    { ...where.params, ...params, limit },
  )
}

async function projectSlugs(
  { records }: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  prefix: string,
  limit: number,
) {
  const rows = await records
    .selectFrom('project')
    .select('slug')
    .where(inProjects(grant))
    .orderBy('slug')
    .execute()
  const values = rows.map(({ slug }) => ({ value: slug, count: undefined }))
  return containing(values, prefix, ({ value }) => value).slice(0, limit)
}

/** Undefined for the few names that no form of the grammar can hold. */
const keyText = (name: string): string | undefined => {
  if (/^[A-Za-z0-9_.-]+$/.test(name)) return name
  return /^[^\]"\n]{1,200}$/.test(name) ? `tags[${name}]` : undefined
}
