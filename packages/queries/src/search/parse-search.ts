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
import {
  type Search,
  SearchError,
  type SearchKey,
  type SearchOperator,
  type SearchTerm,
  type SearchValue,
} from './search-term.ts'

/** The characters of a search, read from left to right. */
type SearchReader = {
  done(): boolean
  position(): number
  atSpaceOrEnd(): boolean
  skipSpace(): void
  /** Whether the next characters were these; if so they are consumed. */
  take(text: string): boolean
  /** A sticky pattern; consumed when it matches. */
  match(pattern: RegExp): RegExpExecArray | undefined
  /** The next characters, not consumed. */
  rest(chars: number): string
  /** `=` when there is none. */
  operator(): SearchOperator
  /** A quoted or bare value; inside a list a bare one ends at `,` and `]` too. */
  value(inList?: boolean): SearchValue
  /** After `[`: values up to `]`. */
  list(): SearchValue[]
}

const OPERATORS = ['>=', '<=', '>', '<'] as const
const SPACE = /\s/

function createSearchReader(text: string): SearchReader {
  let at = 0
  const atSpaceOrEnd = (): boolean => at >= text.length || SPACE.test(text.charAt(at))
  const skipSpace = (): void => {
    while (at < text.length && SPACE.test(text.charAt(at))) at++
  }
  const take = (wanted: string): boolean => {
    if (!text.startsWith(wanted, at)) return false
    at += wanted.length
    return true
  }
  const value = (inList = false): SearchValue => {
    const startsAt = at
    const isQuoted = take('"')
    const parts = ['']
    for (;;) {
      if (at >= text.length) {
        if (isQuoted) throw new SearchError('this quote is never closed', startsAt)
        return { parts }
      }
      const char = text.charAt(at)
      if (isQuoted ? char === '"' : SPACE.test(char) || (inList && (char === ',' || char === ']'))) {
        if (isQuoted) at++
        return { parts }
      }
      at++
      if (char === '*') {
        // `**` means the same as `*`
        if (parts.length === 1 || parts.at(-1) !== '') parts.push('')
      } else if (char === '\\' && /[\\"*,\]]/.test(text.charAt(at))) {
        parts.push((parts.pop() ?? '') + text.charAt(at++))
      } else {
        parts.push((parts.pop() ?? '') + char)
      }
    }
  }
  return {
    done: () => at >= text.length,
    position: () => at,
    atSpaceOrEnd,
    skipSpace,
    take,
    match(pattern) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (!match) return undefined
      at = pattern.lastIndex
      return match
    },
    rest: (chars) => text.slice(at, at + chars),
    operator: () => OPERATORS.find((operator) => take(operator)) ?? '=',
    value,
    list() {
      const startsAt = at - 1
      const values: SearchValue[] = []
      for (;;) {
        skipSpace()
        values.push(value(true))
        skipSpace()
        if (take(']')) return values
        if (at >= text.length) throw new SearchError('this list is never closed', startsAt)
        if (!take(',')) throw new SearchError('a list has "," between its values', at)
      }
    },
  }
}

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
