/** Text of events within Markdown: whatever it holds, it stays text and begins no Markdown of its own. */

const MAX_TEXT = 1_000

export const cut = (text: string, max = MAX_TEXT): string =>
  text.length > max ? `${text.slice(0, max)}…` : text
/** One line: a title must not begin new Markdown. */
export const line = (text: string): string =>
  cut(text.replaceAll(/\s+/g, ' ').trim(), 300).replaceAll(/[\\`*_<>[\]#]/g, '\\$&')

/** A code span that no backtick of the text can end. */
export function code(text: string): string {
  const flat = cut(text.replaceAll(/\s+/g, ' ').trim(), 500)
  if (flat === '') return ''
  const ticks = '`'.repeat(longestRun(flat) + 1)
  return ticks.length === 1 ? `\`${flat}\`` : `${ticks} ${flat} ${ticks}`
}

export function fence(text: string, language: string): string {
  if (text === '') return ''
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${ticks}${language}\n${text}\n${ticks}`
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
