/**
 * Rules that give events a fingerprint, in Sentry's format: `matcher:pattern … -> value, {{ variable }} title="…"`.
 * https://docs.sentry.io/concepts/data-management/event-grouping/fingerprint-rules/
 */
import { parseLines, readMatcher, type RuleMatcher, type RuleProblem, type Scan, short } from './scan-line.ts'

const MAX_FINGERPRINT_RULES = 1_000
export const MAX_RULE_TEXT_CHARS = 150_000
const MAX_MATCHERS = 20
const MAX_VALUES = 20
const MAX_TITLE_CHARS = 250

/** Full name → how it may be written besides. `tags` stands for `tags.NAME`. */
const ALIASES = {
  'error.type': ['type'],
  'error.value': ['value'],
  message: [],
  logger: [],
  level: [],
  release: [],
  sdk: [],
  family: [],
  app: [],
  tags: [],
  'stack.abs_path': ['path'],
  'stack.module': ['module'],
  'stack.function': ['function'],
  'stack.package': ['package'],
} as const
export type FingerprintMatcherName = keyof typeof ALIASES

const NAMES = new Map<string, FingerprintMatcherName>(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases]
      .filter((written) => written !== 'tags')
      .map((written) => [written, name as FingerprintMatcherName] as const),
  ),
)
const KNOWN =
  'error.type, error.value, message, logger, level, release, sdk, family, app, tags.NAME, stack.abs_path, stack.module, stack.function, stack.package'

export type FingerprintMatcher = RuleMatcher<FingerprintMatcherName>
export type FingerprintRule = {
  /** From 1. */
  readonly line: number
  /** As it was written. */
  readonly text: string
  readonly matchers: readonly FingerprintMatcher[]
  /** At least one; `{{ name }}` within are variables. */
  readonly fingerprint: readonly string[]
  readonly title?: string
}
export type FingerprintRules = {
  readonly rules: readonly FingerprintRule[]
  /** Empty: all could be read. */
  readonly problems: readonly RuleProblem[]
}

/** Never throws. Linear in the text, which is at most `MAX_RULE_TEXT_CHARS` long. */
export function parseFingerprintRules(text: string): FingerprintRules {
  return parseLines(text, { maxRules: MAX_FINGERPRINT_RULES, maxChars: MAX_RULE_TEXT_CHARS }, parseRule)
}

function parseRule(scan: Scan, line: number): FingerprintRule {
  const matchers: FingerprintMatcher[] = []
  for (;;) {
    scan.skipSpaces()
    if (scan.isEnd()) scan.fail('the fingerprint is missing: write -> and its values after the matchers')
    if (scan.take('->')) break
    if (matchers.length >= MAX_MATCHERS) scan.fail(`a rule has at most ${MAX_MATCHERS} matchers`)
    const names = { nameOf, refusal, known: KNOWN }
    matchers.push(readMatcher(scan, names, ' \t'))
  }
  if (matchers.length === 0)
    scan.fail('a rule needs a matcher before ->; every event would get this fingerprint', 0)
  const { fingerprint, title } = readValues(scan)
  return { line, text: scan.text.trim(), matchers, fingerprint, ...(title !== undefined && { title }) }
}

const nameOf = (written: string): FingerprintMatcherName | undefined =>
  written.startsWith('tags.') && written.length > 'tags.'.length ? 'tags' : NAMES.get(written)

function refusal(written: string): string | undefined {
  if (written === 'tags' || written === 'tags.') return 'write the name of the tag: tags.server_name:pattern'
  if (written === 'category')
    return 'category is not supported; match by stack.package, stack.module or stack.function'
  return undefined
}

function readValues(scan: Scan): {
  readonly fingerprint: readonly string[]
  readonly title: string | undefined
} {
  const fingerprint: string[] = []
  let title: string | undefined
  for (;;) {
    scan.skipSpaces()
    const at = scan.at()
    const value = scan.quotation() ?? bareValue(scan)
    if (value === '') scan.fail('a value of the fingerprint is expected here', at)
    checkVariables(scan, value, at)
    fingerprint.push(value)
    if (fingerprint.length > MAX_VALUES) scan.fail(`a fingerprint has at most ${MAX_VALUES} values`, at)
    scan.skipSpaces()
    if (scan.take(',')) continue
    if (scan.take('title=')) title = readTitle(scan)
    scan.skipSpaces()
    const restAt = scan.at()
    if (!scan.isEnd())
      scan.fail(
        `${short(scan.word(' \t'))} is not expected here: commas stand between values, title="…" last`,
        restAt,
      )
    return { fingerprint, title }
  }
}

function readTitle(scan: Scan): string {
  const at = scan.at()
  const title = scan.quotation() ?? scan.word('')
  if (title.trim() === '') scan.fail('the title is empty', at)
  if (title.length > MAX_TITLE_CHARS) scan.fail(`a title has at most ${MAX_TITLE_CHARS} characters`, at)
  checkVariables(scan, title, at)
  return title
}

/** Up to a comma or `title=`; spaces within are kept, as in `{{ error.type }}`. */
function bareValue(scan: Scan): string {
  let value = ''
  while (!scan.isEnd() && !scan.looksAt(',') && !scan.looksAt('title=')) {
    if (scan.take('{{')) {
      const start = scan.at() - 2
      value += `{{${scan.word('}')}`
      if (!scan.take('}}')) scan.fail('this {{ has no }}', start)
      value += '}}'
    } else {
      const word = scan.word(' \t,{')
      value += word
      const spacesAt = scan.at()
      scan.skipSpaces()
      if (scan.at() > spacesAt) {
        if (scan.isEnd() || scan.looksAt(',') || scan.looksAt('title=')) break
        value += ' '
      } else if (scan.looksAt('{') && !scan.looksAt('{{')) {
        scan.take('{')
        value += '{'
      }
    }
  }
  return value.trim()
}

const VARIABLES = new Set([
  'default',
  'transaction',
  'message',
  'error.type',
  'type',
  'error.value',
  'value',
  'stack.function',
  'function',
  'stack.abs_path',
  'path',
  'stack.filename',
  'stack.module',
  'module',
  'stack.package',
  'package',
  'logger',
  'level',
  'release',
  'environment',
])
const VARIABLE = /\{\{([^{}]{0,240})\}\}/g

function checkVariables(scan: Scan, value: string, at: number): void {
  for (const match of value.matchAll(VARIABLE)) {
    const name = (match[1] ?? '').trim()
    if (VARIABLES.has(name) || (name.startsWith('tags.') && name.length > 'tags.'.length)) continue
    scan.fail(
      `there is no variable {{ ${short(name)} }}. There are: ${[...VARIABLES].join(', ')}, tags.NAME`,
      at + match.index,
    )
  }
}
