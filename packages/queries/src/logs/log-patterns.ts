/**
 * Lines that differ only in what was filled in are one pattern: numbers, ids, addresses and quoted values become `<*>`.
 * A template that the SDK sent is taken as it is. Each line is looked at once.
 */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type BodyOf, type LogsInput, recentBodies } from './list-logs.ts'

export type LogPattern = {
  /** The text with `<*>` for what differs. */
  readonly pattern: string
  readonly count: number
  /** Of the newest line. */
  readonly example: string
  readonly severity: string
  /** Finds lines like it: a pattern of the search, without quotes. */
  readonly search: string
}
export type LogPatterns = {
  /** The most frequent first. */
  readonly patterns: readonly LogPattern[]
  /** Lines that were looked at. */
  readonly lines: number
  /** There are no more lines than these. */
  readonly isWhole: boolean
}

const MAX_PATTERNS = 50
const ANY = '<*>'

/** Throws `SearchError` and `ExploreError`. */
export async function logPatterns(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: LogsInput,
): Promise<LogPatterns> {
  const { bodies, isWhole } = await recentBodies(deps, grant, input)
  return { patterns: patternsOf(bodies), lines: bodies.length, isWhole }
}

/** The newest come first. Pure. */
function patternsOf(bodies: readonly BodyOf[]): readonly LogPattern[] {
  const found = new Map<string, { count: number; example: string; severity: string }>()
  for (const { body, template, severity } of bodies) {
    const pattern = template === '' ? patternOf(body) : patternOfTemplate(template)
    const known = found.get(pattern)
    if (known) known.count++
    else found.set(pattern, { count: 1, example: body, severity })
  }
  return [...found]
    .map(([pattern, rest]): LogPattern => ({ pattern, ...rest, search: searchFor(pattern) }))
    .toSorted((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1))
    .slice(0, MAX_PATTERNS)
}

// Quoted values, then words with what stands in ids, addresses and paths. Nothing is looked at twice.
const PIECES = /"[^"\n]{0,200}"|(?<!\w)'[^'\n]{0,200}'(?!\w)|\bhttps?:\/\/[^\s"'<>]+|[\w.:@/+-]+/g
const QUOTE = /^["']/
const ADDRESS = /^https?:/
const MAX_LINE = 500

/** The first line of the text with what differs left out: quoted values, addresses, words with a digit. */
export function patternOf(body: string): string {
  const line = body.slice(0, MAX_LINE).split('\n', 1)[0] ?? ''
  const varied = line.replace(PIECES, (piece) => {
    if (!QUOTE.test(piece) && !ADDRESS.test(piece) && !/\d/.test(piece)) return piece
    const last = piece.at(-1) ?? ''
    return last === '.' || last === ':' ? ANY + last : ANY
  })
  return varied.replaceAll(/<\*>(?:[ ,]{1,2}<\*>)+/g, ANY)
}

/** `%s`, `%(name)s`, `{name}` and `{}` of the loggers. */
const patternOfTemplate = (template: string): string =>
  template.slice(0, 500).replace(/%\([\w.]{1,100}\)[a-z]|%[-+.\d]{0,8}[a-z]|\{[^{}\n]{0,100}\}/g, ANY)

/** As the search writes text with gaps: `message:"…"`, with the pattern's parts between `*`. */
function searchFor(pattern: string): string {
  const parts = pattern.split(ANY).map((part) => part.replace(/["\\*]/g, '\\$&'))
  return `message:"${parts.join('*')}*"`.replace(/\*{2,}/g, '*')
}
