/** What the search field offers at a cursor. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_SEARCH_CHARS } from '../search/parse-search.ts'
import { eventColumnOf, issueFieldOf } from '../search/search-fields.ts'
import { SearchError } from '../search/search-term.ts'
import { termAtCursor } from '../search/term-at-cursor.ts'
import { FIXED_VALUES, type KeyKind, KNOWN_KEYS, type KnownKey, tagDescription } from './known-keys.ts'
import { suggestValues } from './suggest-values.ts'
import { containing, eventSample, readWithin, type SuggestWithin } from './suggest-within.ts'

export type SearchSuggestion = {
  /** Replaces `[from, to)` of the search; a key ends with `:`. */
  readonly text: string
  /** What to show: the key or value as it is. */
  readonly label: string
  /** Of keys alone. */
  readonly kind: KeyKind | undefined
  readonly description: string | undefined
  readonly count: number | undefined
}

export type SearchSuggestions = {
  readonly offers: 'keys' | 'values'
  /** The key whose values are offered. */
  readonly key: string | undefined
  readonly from: number
  readonly to: number
  readonly suggestions: readonly SearchSuggestion[]
}

/**
 * `cursor` in UTF-16 units, the end unless told. Any text will do, also an unfinished one; a longer one than a search
 * may be, or a period that is none, throws `SearchError`.
 */
export async function searchSuggestions(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  {
    text,
    cursor = text.length,
    ...within
  }: SuggestWithin & { readonly text: string; readonly cursor?: number },
): Promise<SearchSuggestions> {
  if (text.length > MAX_SEARCH_CHARS) {
    throw new SearchError(`a search has at most ${MAX_SEARCH_CHARS} characters`, MAX_SEARCH_CHARS)
  }
  const term = termAtCursor(text, cursor)
  const { from, to } = term
  if (term.kind === 'key') {
    const keys = await suggestKeys(deps, grant, term.prefix, within)
    const suggestions = keys.flatMap(({ key, ...row }) => {
      const written = keyText(key, row.kind === 'tag')
      return written === undefined
        ? []
        : [{ text: term.isName ? written : `${written}:`, label: key, ...row }]
    })
    return { offers: 'keys', key: undefined, from, to, suggestions }
  }
  const { key } = term
  // Operators are part of a fixed value (`>100`), and no value of an event begins with one.
  const isFixed = !key.isTag && FIXED_VALUES.has(key.name)
  const values = await suggestValues(deps, grant, key, term.prefix, within)
  const suggestions = values.map(({ value, count, description }) => ({
    text: isFixed ? value : valueText(value),
    label: value,
    kind: undefined,
    description,
    count,
  }))
  return { offers: 'values', key: key.name, from, to, suggestions }
}

// Keys and values as text that the search reads back as exactly these.

/** Undefined for the few names that no form of the grammar can hold. A tag with a field's name becomes `tags[…]`. */
export function keyText(name: string, isTag: boolean): string | undefined {
  const isField =
    issueFieldOf({ name, isTag: false }) !== undefined || eventColumnOf({ name, isTag: false }) !== undefined
  if ((!isTag || (!isField && name !== 'has')) && /^[A-Za-z0-9_.-]+$/.test(name)) return name
  return /^[^\]"\n]{1,200}$/.test(name) ? `tags[${name}]` : undefined
}

/** In quotes when it has to be; `*`, `"` and `\` lose their meaning. */
export const valueText = (value: string): string =>
  /^[A-Za-z0-9_@+#-][A-Za-z0-9_@/+.:()=-]*$/.test(value) ? value : `"${value.replace(/[\\"*]/g, '\\$&')}"`

export type SuggestedKey = KnownKey & {
  /** Events of the period that carry the tag, by a sample where there are many; undefined for fields. */
  readonly count: number | undefined
}

/** Keys are narrow (a number a key): a hundred thousand rows take about 30 ms. */
const MAX_ROWS = 100_000
/** An application that invents keys must not fill the answer. */
const MAX_TAG_KEYS = 200

/** Fields first, in their own order, then tags by frequency. `prefix` may be empty. Throws `SearchError`. */
export async function suggestKeys(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  prefix: string,
  within: SuggestWithin = {},
): Promise<readonly SuggestedKey[]> {
  const { limit } = await readWithin(deps, grant, within)
  const fields = KNOWN_KEYS.map((known): SuggestedKey => ({ ...known, count: undefined }))
  const names = new Set(fields.map(({ key }) => key))
  const tags = (await tagKeys(deps, grant, within))
    .filter(({ key }) => !names.has(key))
    .map(({ key, count }): SuggestedKey => ({
      key,
      count,
      kind: 'tag',
      description: tagDescription(key),
    }))
  return containing([...fields, ...tags], prefix, ({ key }) => key).slice(0, limit)
}

export type TagKey = { readonly key: string; readonly count: number }

/** Every tag of the period's events, most frequent first, at most 200. Reads a sample (`event-sample.ts`). */
export async function tagKeys(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  within: SuggestWithin = {},
): Promise<readonly TagKey[]> {
  const { projectIds, sinceMs } = await readWithin(deps, grant, within)
  if (projectIds.length === 0) return []
  const sample = await eventSample(deps, { projectIds, sinceMs, maxRows: MAX_ROWS })
  const rows = await deps.telemetry.query<TagKey>(
    `SELECT arrayJoin(mapKeys(tags)) AS key, count() AS count FROM events WHERE ${sample.sql}
     GROUP BY key ORDER BY count DESC, key LIMIT {limit:UInt32}`,
    { ...sample.params, limit: MAX_TAG_KEYS },
  )
  return rows.map(({ key, count }) => ({ key, count: count * sample.step }))
}
