/** Reads a line of rules from left to right: words, quotations, matchers. Problems carry the column where they are. */
import { compileGlob, type GlobOptions, type RuleGlob } from './glob.ts'

export type RuleProblem = {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Thrown within this folder alone: `parse…` collects them. */
class LineProblem extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** Enough to correct; a text of another format would give thousands. */
const MAX_PROBLEMS = 20
const MAX_LINE_CHARS = 2_000
const MAX_PATTERN_CHARS = 300

type Lines<Rule> = { readonly rules: readonly Rule[]; readonly problems: readonly RuleProblem[] }

/** One rule for each line that is neither empty nor a comment. Never throws. */
export function parseLines<Rule>(
  text: string,
  limits: { readonly maxRules: number; readonly maxChars: number },
  parseLine: (line: Scan, number: number) => Rule,
): Lines<Rule> {
  const { maxRules, maxChars } = limits
  if (text.length > maxChars) {
    const message = `${text.length} characters; at most ${maxChars} are read`
    return { rules: [], problems: [{ line: 1, column: 1, message }] }
  }
  const rules: Rule[] = []
  const problems: RuleProblem[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (problems.length >= MAX_PROBLEMS) break
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    try {
      if (line.length > MAX_LINE_CHARS)
        throw new LineProblem(MAX_LINE_CHARS, `a rule has at most ${MAX_LINE_CHARS} characters`)
      if (rules.length >= maxRules) throw new LineProblem(0, `at most ${maxRules} rules`)
      rules.push(parseLine(createScan(line.trimEnd()), index + 1))
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error
      problems.push({ line: index + 1, column: error.at + 1, message: error.message })
    }
  }
  return { rules, problems }
}

export type Scan = {
  readonly text: string
  at(): number
  isEnd(): boolean
  skipSpaces(): void
  /** Goes over `wanted` when it stands here. */
  take(wanted: string): boolean
  looksAt(wanted: string): boolean
  /** Up to one of `stops` or the end. */
  word(stops: string): string
  /** Goes over `"…"`; `\"` is a quotation mark, other signs after `\` keep it. Undefined: no quotation stands here. */
  quotation(): string | undefined
  fail(message: string, at?: number): never
}

function createScan(text: string): Scan {
  let at = 0
  const scan: Scan = {
    text,
    at: () => at,
    isEnd: () => at >= text.length,
    skipSpaces() {
      while (text[at] === ' ' || text[at] === '\t') at++
    },
    take(wanted) {
      if (!text.startsWith(wanted, at)) return false
      at += wanted.length
      return true
    },
    looksAt: (wanted) => text.startsWith(wanted, at),
    word(stops) {
      const start = at
      while (at < text.length && !stops.includes(text[at] ?? '')) at++
      return text.slice(start, at)
    },
    quotation() {
      if (text[at] !== '"') return undefined
      const start = at++
      let value = ''
      for (; at < text.length; at++) {
        const char = text[at] ?? ''
        if (char === '"') {
          at++
          return value
        }
        if (char === '\\' && at + 1 < text.length) {
          at++
          value += text[at] === '"' ? '"' : `\\${text[at]}`
        } else value += char
      }
      return scan.fail('this quotation mark has no second one', start)
    },
    fail(message, where = at): never {
      throw new LineProblem(where, message)
    },
  }
  return scan
}

/** `!name:pattern` of either kind of rule. `Name` is the full name, whatever alias stood there. */
export type RuleMatcher<Name extends string> = {
  readonly name: Name
  /** `server` of `tags.server`. */
  readonly tag?: string
  readonly isNot: boolean
  /** As it was written, without quotation marks. */
  readonly pattern: string
  readonly glob: RuleGlob
}

export type MatcherNames<Name extends string> = {
  /** The name or alias → the name; undefined: there is no such matcher. */
  readonly nameOf: (written: string) => Name | undefined
  /** Why a matcher that Sentry has is not there, and what to write instead. */
  readonly refusal: (written: string) => string | undefined
  /** All that may stand there, for the message. */
  readonly known: string
}

const NAME_END = ' \t:"[]|'

/** At `!` or a name. `stops`: what ends a pattern without quotation marks. */
export function readMatcher<Name extends string>(
  scan: Scan,
  names: MatcherNames<Name>,
  stops: string,
): RuleMatcher<Name> {
  const start = scan.at()
  const isNot = scan.take('!')
  const nameAt = scan.at()
  const written = scan.word(NAME_END)
  if (written === '') scan.fail('a matcher is expected here: name:pattern')
  if (!scan.take(':'))
    scan.fail(`${short(written)} has no colon and pattern: write ${short(written)}:pattern`, start)
  const refused = names.refusal(written)
  if (refused !== undefined) scan.fail(refused, nameAt)
  const name = names.nameOf(written)
  if (name === undefined)
    return scan.fail(`there is no matcher ${short(written)}. There are: ${names.known}`, nameAt)
  const patternAt = scan.at()
  const quoted = scan.quotation()
  const pattern = quoted ?? scan.word(stops)
  if (pattern === '') scan.fail(`${short(written)} has no pattern`, patternAt)
  if (pattern.length > MAX_PATTERN_CHARS)
    scan.fail(`a pattern has at most ${MAX_PATTERN_CHARS} characters`, patternAt)
  const glob = globOf(scan, name, pattern, patternAt)
  const tag = name === 'tags' ? written.slice('tags.'.length) : undefined
  return { name, ...(tag !== undefined && { tag }), isNot, pattern, glob }
}

const PATHS = new Set(['stack.abs_path', 'stack.package'])
const EITHER_CASE = new Set(['stack.abs_path', 'stack.package', 'error.value', 'message', 'level'])

/** How the patterns of a matcher are compared. */
export const globOptionsOf = (name: string): GlobOptions => ({
  isPath: PATHS.has(name),
  ignoresCase: EITHER_CASE.has(name),
})

const FAMILIES = ['javascript', 'native', 'other', 'all']
const YES_NO = ['yes', 'no', 'true', 'false', '1', '0']

function globOf(scan: Scan, name: string, pattern: string, at: number): RuleGlob {
  if (name === 'family') {
    const wrong = pattern.split(',').find((family) => !FAMILIES.includes(family))
    if (wrong !== undefined)
      scan.fail(`there is no family ${short(wrong)}. There are: ${FAMILIES.join(', ')}`, at)
  }
  if (name === 'app' && !YES_NO.includes(pattern)) scan.fail('app is yes or no', at)
  const glob = compileGlob(pattern, globOptionsOf(name))
  if ('message' in glob) return scan.fail(glob.message, at + glob.at)
  return glob
}

export const short = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).slice(1, -1)
