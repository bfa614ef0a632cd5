import type { Pair } from '@sonde/protocol/event'
import { textPairs } from './pairs.ts'

/** `content-type` → `Content-Type`. */
export function canonicalHeader(name: string): string {
  let out = ''
  let start = true
  for (const char of name.trim()) {
    out += start ? char.toUpperCase() : char.toLowerCase()
    start = char === '-' || char === '_'
  }
  return out
}

/** Header names in one spelling; values given as lists are joined. */
export function readHeaders(raw: unknown, maxBytes: number): { pairs: Pair[]; trimmed: boolean } {
  const { pairs, trimmed } = textPairs(raw, maxBytes)
  return { pairs: pairs.map(([name, value]): Pair => [canonicalHeader(name), value]), trimmed }
}

export function headerOf(headers: readonly Pair[] | undefined, name: string): string | undefined {
  return headers?.find(([key]) => key === name)?.[1]
}

/** `a=1; b=2` → pairs. */
export function parseCookies(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim()
    if (name !== '') pairs.push([name, at < 0 ? '' : decode(part.slice(at + 1).trim())])
  }
  return pairs
}

/** `a=1&b=2` (with or without `?`) → pairs, percent-decoded where that is possible. */
export function parseQuery(text: string): Pair[] {
  const query = text.startsWith('?') ? text.slice(1) : text
  const pairs: Pair[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))])
  }
  return pairs
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
