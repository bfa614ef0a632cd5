/**
 * Named secrets inside text: `token=abc` (query strings, forms, logs), `"password": "abc"` (JSON, also escaped or
 * cut), `{'password': 'abc'}` (Python), `Authorization: Bearer abc` (headers). A bare `word: rest` is prose and stays.
 * One pass; each name is looked for in at most `MAX_NAME` characters before its sign.
 */
import { FILTERED, type KeyRules } from './settings.ts'

const MAX_NAME = 64
const HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
])
const CONSTANTS = new Set(['true', 'false', 'null', 'none', 'undefined', 'nil'])
const SIGN = /[=:]/g
const WORD_END = /[&;,\s"'<>(){}|\\]/g
const LINE_END = /[\r\n"'\\]/g

type Name = { readonly text: string; readonly quoted: boolean }

export function scrubAssignments(text: string, sensitivityOf: KeyRules): string {
  let out = ''
  let from = 0
  SIGN.lastIndex = 0
  for (let sign = SIGN.exec(text); sign; sign = SIGN.exec(text)) {
    const at = sign.index
    const name = nameBefore(text, at)
    if (name === undefined || name.text === '') continue
    const isHeader = text[at] === ':' && !name.quoted
    if (isHeader && !HEADERS.has(name.text.toLowerCase())) continue
    const sensitivity = sensitivityOf(decodeName(name.text))
    if (sensitivity === 'no') continue
    const value = valueAfter(text, at + 1, isHeader)
    if (value === undefined) continue
    const given = text.slice(value.start, value.end)
    SIGN.lastIndex = Math.max(value.end, at + 1)
    if (given === '' || given === FILTERED || CONSTANTS.has(given.toLowerCase())) continue
    if (sensitivity === 'unlessNumber' && /^\d+$/.test(given)) continue
    out += text.slice(from, value.start) + FILTERED
    from = value.end
  }
  return from === 0 ? text : out + text.slice(from)
}

function nameBefore(text: string, sign: number): Name | undefined {
  let end = sign
  if (text[end - 1] === ' ') end--
  const spaced = end !== sign
  const quote = text[end - 1]
  const quoted = quote === '"' || quote === "'"
  if (quoted) {
    end--
    while (text[end - 1] === '\\' && sign - end < 8) end--
  }
  // `password = 'x'` is an assignment, `the token = x` may be prose.
  if (spaced && !quoted && !/^=\s?["']/.test(text.slice(sign, sign + 3))) return undefined
  let start = end
  const limit = Math.max(0, end - MAX_NAME)
  while (start > limit && isNameCode(text.charCodeAt(start - 1))) start--
  return { text: text.slice(start, end), quoted }
}

/** Letters, digits, `_ - . [ ] % $` and everything beyond ASCII. */
function isNameCode(code: number): boolean {
  if (code >= 0x80) return true
  if (code >= 0x61 && code <= 0x7a) return true
  if (code >= 0x30 && code <= 0x39) return true
  if (code >= 0x41 && code <= 0x5b) return true
  return code === 0x5f || code === 0x2d || code === 0x2e || code === 0x5d || code === 0x25 || code === 0x24
}

function valueAfter(
  text: string,
  from: number,
  toLineEnd: boolean,
): { start: number; end: number } | undefined {
  let start = from
  while (text[start] === ' ' && start - from < 8) start++
  if (toLineEnd) return { start, end: next(LINE_END, text, start) }
  let slashes = 0
  while (text[start + slashes] === '\\' && slashes < 8) slashes++
  const quote = text[start + slashes]
  if (quote === '"' || quote === "'") {
    start += slashes + 1
    return { start, end: closingQuote(text, start, quote, slashes) }
  }
  if (text.startsWith(FILTERED, start)) {
    const end = next(WORD_END, text, start)
    // What closes the list around it is no part of it.
    return {
      start,
      end: /^[\]]*$/.test(text.slice(start + FILTERED.length, end)) ? start + FILTERED.length : end,
    }
  }
  // A container goes as a whole, as it does where it was parsed.
  if (text[start] === '{' || text[start] === '[') return { start, end: closingBracket(text, start) }
  return { start, end: next(WORD_END, text, start) }
}

/** The same quote, as deeply escaped as the opening one, or the end of the text. */
function closingQuote(text: string, start: number, quote: string, slashes: number): number {
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    let before = 0
    while (at - before > start && text[at - before - 1] === '\\') before++
    if (slashes === 0 ? before % 2 === 0 : before <= slashes) return at - Math.min(before, slashes)
  }
  return text.length
}

function closingBracket(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}

function next(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

function decodeName(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
