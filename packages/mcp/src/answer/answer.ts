/**
 * The answer of a tool: short, linked, bounded. What Sonde says stands outside, and what applications and their users wrote
 * stands between two lines that they cannot write, so that it is read as data.
 */
import { randomBytes } from 'node:crypto'
import { CLOSE, OPEN, plainLine, plainText } from './plain-text.ts'

/** Of a whole answer, in UTF-16 units: about 5,000 tokens of English. */
export const MAX_ANSWER_CHARS = 20_000
/** What the lines around data may still say when the data has filled the answer. */
const RESERVED_CHARS = 1_500
const MAX_SAID_CHARS = 600

export type Answer = {
  /** Words of Sonde's own: names that are checked (slugs, ids, states), numbers, links. One line each. */
  say(...lines: readonly string[]): Answer
  /** `lines`: whatever was recorded. Only whole lines are shown; `more` says how to read those that are left out. */
  data(heading: string, lines: readonly string[], options?: DataOptions): Answer
  text(): string
}

export type DataOptions = {
  readonly maxChars?: number
  /** A sentence. */
  readonly more?: string
}

/** `id`: random for each answer, so that no text can know the line that ends it. */
export function createAnswer(id: string = randomBytes(8).toString('hex')): Answer {
  const parts: string[] = []
  let length = 0
  const add = (part: string): void => {
    parts.push(part)
    length += part.length + 1
  }
  const answer: Answer = {
    say(...lines) {
      for (const line of lines) add(plainLine(line, MAX_SAID_CHARS))
      return answer
    },
    data(heading, lines, { maxChars = MAX_ANSWER_CHARS, more } = {}) {
      const shown = lines.flatMap((line) => plainText(line).split('\n'))
      if (shown.length === 0) return answer
      let room = Math.min(maxChars, MAX_ANSWER_CHARS - RESERVED_CHARS - length)
      const kept: string[] = []
      for (const line of shown) {
        room -= line.length + 1
        if (room < 0) break
        kept.push(line)
      }
      add('')
      add(`## ${heading}`)
      add('')
      if (kept.length > 0) {
        add(`${OPEN}DATA ${id}${CLOSE}`)
        add(kept.join('\n'))
        add(`${OPEN}END DATA ${id}${CLOSE}`)
      }
      if (kept.length < shown.length)
        add(`Cut: ${kept.length} of ${shown.length} lines are shown.${more === undefined ? '' : ` ${more}`}`)
      return answer
    },
    text: () => {
      const text = parts.join('\n').trim()
      return text.length <= MAX_ANSWER_CHARS ? text : `${text.slice(0, MAX_ANSWER_CHARS - 20)}\nCut here.`
    },
  }
  return answer
}
