/**
 * Reads what people type into the search field. Terms are separated by spaces and all must hold:
 *
 *     is:unresolved level:error       a field with a value
 *     release:[1.0, 1.1]              any of these
 *     title:*timeout*  !os:Windows    a pattern; not
 *     timesSeen:>100  firstSeen:-24h  numbers, times
 *     has:user  !has:release          set at all
 *     tags[level]:x  "my tag":"a b"   a tag even if a field has the name; quotes for spaces
 *     "connection refused" refused    text of the title or the place
 *
 * A field nobody knows is a tag. `\` keeps the next character's meaning away. Sentry's forms, minus OR and
 * parentheses: https://docs.sentry.io/concepts/search/
 */
import { createSearchReader, type SearchReader } from './search-reader.ts'
import { SearchError } from './search-error.ts'
import type { Search, SearchKey, SearchTerm } from './search-term.ts'

/** Longer than any address bar takes gladly; bounds the work of a hostile one. */
export const MAX_SEARCH_CHARS = 4_096
const MAX_SEARCH_TERMS = 50

const KEY = /[A-Za-z0-9_.-]+(?=:)/y
const TAG_KEY = /tags\[("?)([^\]"\n]{1,200})\1\](?=:)/y
const QUOTED_KEY = /"([^"\\\n]{1,200})"(?=:)/y

/** Throws `SearchError` and nothing else, for any text. */
export function parseSearch(text: string): Search {
  if (text.length > MAX_SEARCH_CHARS) {
    throw new SearchError(`a search has at most ${MAX_SEARCH_CHARS} characters`, MAX_SEARCH_CHARS)
  }
  const reader = createSearchReader(text)
  const terms: SearchTerm[] = []
  for (reader.skipSpace(); !reader.done(); reader.skipSpace()) {
    const term = readTerm(reader)
    if (term) terms.push(term)
    if (terms.length > MAX_SEARCH_TERMS) {
      throw new SearchError(`a search has at most ${MAX_SEARCH_TERMS} terms`, reader.position())
    }
  }
  return terms
}

function readTerm(reader: SearchReader): SearchTerm | undefined {
  const at = reader.position()
  const negated = reader.take('!')
  if (negated && reader.atSpaceOrEnd()) throw new SearchError('"!" needs a term right after it', at)
  const key = readKey(reader)
  if (key === undefined) return readText(reader, at, negated)
  reader.take(':')
  if (key.name === 'has' && !key.isTag) {
    const name = reader.value().parts.join('*')
    if (name === '') throw new SearchError('"has:" needs the name of a field or tag', at)
    return { kind: 'has', key: keyFrom(name), negated, at }
  }
  const operator = reader.operator()
  if (reader.atSpaceOrEnd()) {
    throw new SearchError(`"${key.name}:" needs a value`, at, 'Write "" for a value that is empty.')
  }
  const values = operator === '=' && reader.take('[') ? reader.list() : [reader.value()]
  return { kind: 'filter', key, operator, values, negated, at }
}

/**
 * Undefined when the term is plain text: no colon, or a colon that people paste with a title
 * (`TypeError: x is not a function`) or an address (`https://…`).
 */
function readKey(reader: SearchReader): SearchKey | undefined {
  const tag = reader.match(TAG_KEY)
  if (tag) return { name: tag[2] ?? '', isTag: true }
  const quoted = reader.match(QUOTED_KEY)
  if (quoted) return { name: quoted[1] ?? '', isTag: false }
  if (/^[A-Za-z0-9_.-]+:(?:\/\/|$|\s)/.test(reader.rest(220))) return undefined
  const plain = reader.match(KEY)
  return plain ? { name: plain[0], isTag: false } : undefined
}

function keyFrom(name: string): SearchKey {
  const tag = /^tags\[(.+)\]$/.exec(name)
  return tag ? { name: tag[1] ?? '', isTag: true } : { name, isTag: false }
}

function readText(reader: SearchReader, at: number, negated: boolean): SearchTerm | undefined {
  const word = reader.rest(4)
  // AND is what spaces mean already.
  if (/^AND(?:\s|$)/.test(word) && !negated) {
    reader.value()
    return undefined
  }
  if (/^OR(?:\s|$)/.test(word)) {
    throw new SearchError('"OR" is not understood', at, 'Use field:[a, b] for one of several values.')
  }
  const value = reader.value()
  if (value.parts.every((part) => part === '')) return undefined
  return { kind: 'text', value, negated, at }
}
