/**
 * Ownership rules as people write them, one a line: `type:pattern owners…`.
 * https://docs.sentry.io/product/issues/ownership-rules/#ownership-rules
 */

export const OWNERSHIP_LIMITS = {
  /** UTF-16 code units of all rules. */
  rulesChars: 100_000,
  rules: 2_000,
  /** Of a CODEOWNERS file: what fits a form. Each new issue is held against all of its lines. */
  fileChars: 400_000,
  fileRules: 10_000,
  patternChars: 500,
  ownersOfRule: 20,
} as const

const RULE_TYPES = ['path', 'module', 'url', 'codeowners'] as const
export type RuleType = (typeof RULE_TYPES)[number] | 'tag'

export type OwnershipRule = {
  /** From 1. */
  readonly line: number
  /** The line as it stands there. */
  readonly text: string
  readonly type: RuleType
  /** Of `tag`. */
  readonly tag?: string
  readonly pattern: string
  /**
   * An address, or `#slug` of a team; of a CODEOWNERS file an address or `@name`. Of a rule of a file it may be empty: then
   * nobody owns what it matches.
   */
  readonly owners: readonly string[]
}

export type RuleProblem = { readonly line: number; readonly text: string; readonly reason: string }

export type ParsedRules = {
  readonly rules: readonly OwnershipRule[]
  /** Lines that are no rule, in their order. They own nothing. */
  readonly problems: readonly RuleProblem[]
}

/** Never throws; takes time linear in the text. */
export function parseOwnershipRules(raw: string): ParsedRules {
  const rules: OwnershipRule[] = []
  const problems: RuleProblem[] = []
  const limit = OWNERSHIP_LIMITS.rules
  for (const [index, whole] of linesOf(raw, OWNERSHIP_LIMITS.rulesChars).entries()) {
    const text = whole.trim()
    if (text === '' || text.startsWith('#')) continue
    const read =
      rules.length < limit ? readRule(text) : `there are more than ${limit} rules; the rest is left out`
    if (typeof read !== 'string') rules.push({ line: index + 1, text, ...read })
    else problems.push({ line: index + 1, text: shown(text), reason: read })
    if (problems.length > MAX_PROBLEMS) break
  }
  return { rules, problems }
}

/** Nobody reads more at once. */
export const MAX_PROBLEMS = 100
export const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

export const linesOf = (raw: string, maxChars: number): string[] =>
  raw.slice(0, maxChars).split('\n', maxChars)

/** A text says what is wrong. */
function readRule(text: string): Omit<OwnershipRule, 'line' | 'text'> | string {
  const colon = text.indexOf(':')
  const given = colon < 0 ? '' : text.slice(0, colon)
  const type = typeOf(given)
  if (!type)
    return colon < 0
      ? 'a rule begins with path:, module:, url: or tags.NAME:, as in "path:src/checkout/* #payments"'
      : `"${shown(given)}" is not known: a rule begins with path:, module:, url:, tags.NAME: or codeowners:`
  const read = splitPattern(text.slice(colon + 1))
  if (typeof read === 'string') return read
  const { pattern, owners } = read
  if (pattern === '') return 'a pattern is needed after the colon; * matches everything'
  const { patternChars, ownersOfRule } = OWNERSHIP_LIMITS
  if (pattern.length > patternChars) return `the pattern has more than ${patternChars} characters`
  if (owners.length === 0)
    return 'owners are needed after the pattern: addresses of members, or #slug of teams'
  if (owners.length > ownersOfRule) return `a rule has at most ${ownersOfRule} owners`
  return { ...type, pattern, owners }
}

function typeOf(given: string): Pick<OwnershipRule, 'type' | 'tag'> | undefined {
  const type = RULE_TYPES.find((each) => each === given)
  if (type) return { type }
  const tag = given.startsWith('tags.') ? given.slice('tags.'.length) : ''
  return tag === '' || tag.length > 200 ? undefined : { type: 'tag', tag }
}

const isOwner = (word: string): boolean => (word.startsWith('#') ? word.length > 1 : isAddress(word))

export function isAddress(word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && at < word.length - 1 && word.length <= 320
}

/**
 * A pattern may have spaces (`tags.browser:Chrome 81.0.* web@acme.org`): owners are what looks like one from the end. In
 * quotes it ends where they do. What follows a lone `#` is a remark.
 */
function splitPattern(rest: string): { pattern: string; owners: string[] } | string {
  const isQuoted = rest.startsWith('"')
  const end = isQuoted ? rest.indexOf('"', 1) : -1
  if (isQuoted && end < 0) return 'the quotes around the pattern are not closed'
  const words = (isQuoted ? rest.slice(end + 1) : rest).split(/\s+/).filter((word) => word !== '')
  const remark = words.indexOf('#')
  const said = remark < 0 ? words : words.slice(0, remark)
  const last = said.at(-1)
  const from = isQuoted ? 0 : said.findLastIndex((word) => !isOwner(word)) + 1
  if (!isQuoted && from === said.length && said.length > 1 && last !== undefined)
    return `"${shown(last)}" is no owner: write the address of a member, or #slug of a team`
  const owners = said.slice(from)
  const stranger = owners.find((word) => !isOwner(word))
  if (stranger !== undefined)
    return `"${shown(stranger)}" is no owner: write the address of a member, or #slug of a team`
  const pattern = isQuoted ? rest.slice(1, end) : patternOf(rest, said.slice(0, from))
  return { pattern, owners: [...new Set(owners.map((owner) => owner.toLowerCase()))] }
}

/** With the spaces that it was written with. */
function patternOf(rest: string, words: readonly string[]): string {
  let at = 0
  for (const word of words) at = rest.indexOf(word, at) + word.length
  return rest.slice(0, at).trim()
}
