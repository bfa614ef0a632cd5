/**
 * The parts as a person is shown them: stored with every event, so a stack trace is one part with a line per frame,
 * and what is long is cut. All of it was hashed.
 */
import type { Part } from './exception.ts'

const MAX_PARTS = 20
const MAX_LINES = 12
const MAX_CHARACTERS = 160

export function shownParts(parts: readonly Part[]): Part[] {
  const merged: { from: string; lines: string[]; note?: string }[] = []
  for (const { from, value, note } of parts) {
    const last = merged.at(-1)
    if (last?.from === from) last.lines.push(shorten(value))
    else merged.push({ from, lines: [shorten(value)], ...(note === undefined ? {} : { note }) })
  }
  return merged.slice(-MAX_PARTS).map(({ from, lines, note }) => {
    const value = lines.length <= MAX_LINES ? lines : ['…', ...lines.slice(-MAX_LINES)]
    return { from, value: value.join('\n'), ...(note === undefined ? {} : { note }) }
  })
}

function shorten(value: string): string {
  return value.length <= MAX_CHARACTERS ? value : `${value.slice(0, MAX_CHARACTERS)}…`
}
