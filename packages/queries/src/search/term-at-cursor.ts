/** What somebody is typing: the key or value of a search that the cursor stands in, and what a completion replaces. */
import type { SearchKey } from './search-term.ts'

export type TermAtCursor =
  /** Also for the name after `has:`, which needs no `:` behind it (`isName`). */
  | {
      readonly kind: 'key'
      readonly prefix: string
      readonly from: number
      readonly to: number
      readonly isName: boolean
    }
  | {
      readonly kind: 'value'
      readonly key: SearchKey
      readonly prefix: string
      /** The value's text (of a list: the element's), in UTF-16 units; quotes and operators included, `[` not. */
      readonly from: number
      readonly to: number
    }

const KEY = /^(?:tags\[("?)([^\]"\n]{1,200})\1\]|"([^"\\\n]{1,200})"|([A-Za-z0-9_.-]+)):/

/** For any text and cursor, also unfinished ones: a quote that is never closed reaches to the end. */
export function termAtCursor(text: string, cursor: number): TermAtCursor {
  const at = Math.min(text.length, Math.max(0, Math.trunc(cursor) || 0))
  const [start, end] = termBounds(text, at)
  const begin = text[start] === '!' && start < at ? start + 1 : start
  const term = text.slice(begin, end)
  const match = KEY.exec(term)
  // `https://…` and the colon of a pasted title are text, as the parser has it.
  if (!match || begin + match[0].length > at || term.startsWith('//', match[0].length)) {
    return { kind: 'key', prefix: keyPrefix(text.slice(begin, at)), from: begin, to: end, isName: false }
  }
  const isTag = match[2] !== undefined
  const key = { name: match[2] ?? match[3] ?? match[4] ?? '', isTag }
  const [from, to] = elementBounds(text, begin + match[0].length, end, at)
  const prefix = unquoted(text.slice(from, at))
  if (key.name === 'has' && !isTag) return { kind: 'key', prefix: keyPrefix(prefix), from, to, isName: true }
  return { kind: 'value', key, prefix, from, to }
}

/** From space to space; spaces between quotes or brackets do not count. */
function termBounds(text: string, at: number): readonly [number, number] {
  let start = 0
  let isQuoted = false
  let isList = false
  for (let index = 0; index <= text.length; index++) {
    const char = text[index]
    const ends = char === undefined || (/\s/.test(char) && !isQuoted && !isList)
    if (ends) {
      if (index >= at) return [start, index]
      start = index + 1
    } else if (char === '\\') index++
    else if (char === '"') isQuoted = !isQuoted
    else if (char === '[' && opens(text, start, index)) isList = true
    else if (char === ']' && !isQuoted) isList = false
  }
  return [start, text.length]
}

/** A list begins after `:`; a tag's name after `tags`, if it ends at all. */
const opens = (text: string, start: number, index: number): boolean =>
  text[index - 1] === ':' || (/^!?tags$/.test(text.slice(start, index)) && text.includes(']:', index))

/** Within `[a, b]` the element that the cursor stands in; else the whole value. */
function elementBounds(text: string, from: number, end: number, at: number): readonly [number, number] {
  if (text[from] !== '[' || at <= from) return [from, end]
  let start = from + 1
  let isQuoted = false
  for (let index = start; index < end; index++) {
    const char = text[index]
    if (char === '\\') index++
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && (char === ',' || char === ']')) {
      if (index >= at) return [skipSpace(text, start, at), index]
      start = index + 1
    }
  }
  return [skipSpace(text, start, at), end]
}

function skipSpace(text: string, from: number, at: number): number {
  let index = from
  while (index < at && /\s/.test(text.charAt(index))) index++
  return index
}

const unquoted = (text: string): string =>
  text
    .replace(/^"/, '')
    .replace(/"$/, '')
    .replace(/\\([\\"*,\]])/g, '$1')
const keyPrefix = (text: string): string => text.replace(/^tags\[/, '').replace(/["\]]/g, '')
