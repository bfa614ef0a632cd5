/** Replaces the changing values of a message with placeholders: `user 42 not found` → `user <int> not found`. */
import { MESSAGE_PATTERNS } from './message-patterns.ts'

/** Long enough to tell messages apart, short enough that a message of 8,192 characters costs microseconds. */
const MAX_CHARACTERS = 1000
const MAX_LINES = 2

const COMBINED = new RegExp(
  MESSAGE_PATTERNS.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'),
  'g',
)
const PLACEHOLDERS = MESSAGE_PATTERNS.map(([name]) => `<${name}>`)
/** Every pattern needs one of these characters; most messages that are plain words have none. */
const MAY_CHANGE = /[\d@=/\\"'.:]/

export function parameterizeMessage(message: string): string {
  const head = firstLines(message)
  if (!MAY_CHANGE.test(head)) return head
  return head.replace(COMBINED, replaceMatch)
}

/** `groups` holds one entry per pattern, in their order: the patterns themselves capture nothing. */
function replaceMatch(matched: string, ...groups: readonly unknown[]): string {
  for (let at = 0; at < PLACEHOLDERS.length; at++) {
    if (groups[at] !== undefined) return PLACEHOLDERS[at] ?? matched
  }
  return matched
}

/** The first two lines with text; `...` tells that there was more. */
function firstLines(message: string): string {
  const text = message.length > MAX_CHARACTERS * 2 ? message.slice(0, MAX_CHARACTERS * 2) : message
  if (!text.includes('\n') && text.length <= MAX_CHARACTERS) return text.trim()
  const lines = text.split('\n', 50).filter((line) => line.trim() !== '')
  const kept = lines.slice(0, MAX_LINES).join('\n').trim()
  const cut = kept.slice(0, MAX_CHARACTERS)
  return cut.length < kept.length || lines.length > MAX_LINES ? `${cut}...` : cut
}
