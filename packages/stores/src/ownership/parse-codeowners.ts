/**
 * CODEOWNERS files of GitHub, GitLab and Bitbucket: a pattern as in `.gitignore`, then owners.
 * https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
 * https://docs.gitlab.com/user/project/codeowners/reference/
 */
import {
  isAddress,
  linesOf,
  MAX_PROBLEMS,
  OWNERSHIP_LIMITS,
  type OwnershipRule,
  type ParsedRules,
  type RuleProblem,
  shown,
} from './parse-rules.ts'

/**
 * Never throws; takes time linear in the text. A line without owners is a rule: nobody owns what it matches. In a section of
 * GitLab such a line has the owners of the section; of several sections the last line that matches decides.
 */
export function parseCodeowners(raw: string): ParsedRules {
  const rules: OwnershipRule[] = []
  const problems: RuleProblem[] = []
  let sectionOwners: readonly string[] = []
  for (const [index, whole] of linesOf(raw, OWNERSHIP_LIMITS.fileChars).entries()) {
    const text = whole.trim()
    if (text === '' || text.startsWith('#')) continue
    const refuse = (reason: string): number => problems.push({ line: index + 1, text: shown(text), reason })
    if (problems.length > MAX_PROBLEMS) break
    const section = sectionOf(text)
    if (section) {
      sectionOwners = section.filter(isCodeowner)
      const stranger = section.find((word) => !isCodeowner(word))
      if (stranger !== undefined) refuse(`"${shown(stranger)}" is no owner of a section`)
      continue
    }
    const read = readLine(text, sectionOwners)
    if (typeof read === 'string') refuse(read)
    else if (rules.length < OWNERSHIP_LIMITS.fileRules) rules.push({ line: index + 1, text, ...read })
    else {
      refuse(`the file has more than ${OWNERSHIP_LIMITS.fileRules} rules; the rest is left out`)
      break
    }
  }
  return { rules, problems }
}

/** `@ada`, `@acme/web`, `@@developer` (a role of GitLab), or an address. */
const isCodeowner = (word: string): boolean =>
  word.startsWith('@') ? word.length > 1 && word.length <= 200 : isAddress(word)

/** `[Name]`, `^[Name]` (optional), `[Name][2]` (approvals), each with owners: those words. Undefined: it is another line. */
function sectionOf(text: string): readonly string[] | undefined {
  const from = text.startsWith('^[') ? 1 : 0
  if (text[from] !== '[') return undefined
  const end = text.indexOf(']', from)
  if (end < 0) return undefined
  const rest = text.slice(end + 1)
  const approvals = /^\[\d{1,4}\]/.exec(rest)?.[0] ?? ''
  const words = rest.slice(approvals.length)
  // `[abc].js @ada`: not a section, and sets are nothing that these files know.
  if (words !== '' && !/^\s/.test(words)) return undefined
  return ownersIn(words.split(/\s+/))
}

const ownersIn = (words: readonly string[]): string[] => {
  const said = words.filter((word) => word !== '')
  const remark = said.findIndex((word) => word.startsWith('#'))
  return remark < 0 ? said : said.slice(0, remark)
}

function readLine(
  text: string,
  sectionOwners: readonly string[],
): Pick<OwnershipRule, 'type' | 'pattern' | 'owners'> | string {
  if (text.startsWith('!')) return 'exclusions (!) are not supported: write a line of its own without owners'
  if (text.startsWith('@@@'))
    return 'groups of Bitbucket (@@@) are not supported: name their members, or a team'
  if (text.startsWith('CODEOWNERS.'))
    return 'options of Bitbucket decide about reviews, not about who owns what'
  const [pattern = '', ...rest] = wordsOf(text)
  if (pattern.length > OWNERSHIP_LIMITS.patternChars)
    return `the pattern has more than ${OWNERSHIP_LIMITS.patternChars} characters`
  const words = ownersIn(rest)
  const stranger = words.find((word) => !isCodeowner(word))
  if (stranger !== undefined)
    return `"${shown(stranger)}" is no owner: an owner is @user, @organization/team or an address`
  if (words.length > OWNERSHIP_LIMITS.ownersOfRule)
    return `a rule has at most ${OWNERSHIP_LIMITS.ownersOfRule} owners`
  const owners = words.length === 0 ? sectionOwners : words
  return { type: 'codeowners', pattern, owners: [...new Set(owners.map((owner) => owner.toLowerCase()))] }
}

/** A space behind a backslash is of the pattern. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let word = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\' && at + 1 < text.length) {
      const next = text[++at] ?? ''
      word += next
    } else if (/\s/.test(char)) {
      if (word !== '') words.push(word)
      word = ''
    } else word += char
  }
  return word === '' ? words : [...words, word]
}

/**
 * The globs (of folders) that mean the same. Without a slash before its end a pattern may begin in any folder; one that ends
 * with the name of a folder has all that is in it, but `docs/*` has the files of that folder alone.
 */
export function codeownersGlobs(pattern: string): readonly string[] {
  const isFolder = pattern.endsWith('/')
  const plain = pattern
    .split('/')
    .filter((part) => part !== '')
    .join('/')
  if (plain === '') return ['**']
  const isAnchored = pattern.startsWith('/') || plain.includes('/')
  const from = isAnchored ? plain : `**/${plain}`
  if (isFolder) return [`${from}/**`]
  const last = plain.slice(plain.lastIndexOf('/') + 1)
  return last.includes('*') || last.includes('?') ? [from] : [from, `${from}/**`]
}
