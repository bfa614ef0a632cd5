/** The characters of a search, read from left to right. */
import { SearchError } from './search-error.ts'
import type { SearchOperator, SearchValue } from './search-term.ts'

export type SearchReader = {
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

export function createSearchReader(text: string): SearchReader {
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
