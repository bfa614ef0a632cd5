/** What the search field offers at a cursor. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { MAX_SEARCH_CHARS } from '../search/parse-search.ts'
import { SearchError } from '../search/search-term.ts'
import { termAtCursor } from '../search/term-at-cursor.ts'
import { FIXED_VALUES, type KeyKind } from './known-keys.ts'
import { keyText, suggestKeys, valueText } from './suggest-keys.ts'
import type { SuggestWithin } from './suggest-within.ts'
import { suggestValues } from './suggest-values.ts'

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
