/**
 * A person that the applications which report have as a user: by user id, e-mail and IP address. All that is given is of the
 * same person. Not a member of Sonde: those are deleted as accounts.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'

const PERSON_FIELDS = ['id', 'email', 'ip'] as const
export type PersonField = (typeof PERSON_FIELDS)[number]

/** At least one of them. `email` and `ip` in lower case. */
export type Person = { readonly [Field in PersonField]?: string }

const MAX_CHARS = { id: 200, email: 320, ip: 45 } as const
/** Shorter ids occur in texts by chance: these are looked for only where a user is named. */
const MIN_TEXT_CHARS = 6

/** What is wrong, by field; empty texts are as if not given. Undefined: nobody was named. */
export function readPerson(
  given: Readonly<Record<PersonField, string | undefined>>,
): { readonly person: Person } | { readonly field: PersonField; readonly problem: string } {
  const person: { -readonly [Field in PersonField]?: string } = {}
  for (const field of PERSON_FIELDS) {
    const text = given[field]?.trim() ?? ''
    if (text === '') continue
    const value = field === 'id' ? text : text.toLowerCase()
    if (value.length > MAX_CHARS[field])
      return { field, problem: `has at most ${MAX_CHARS[field]} characters` }
    if (field === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value))
      return { field, problem: 'is not an e-mail address' }
    if (field === 'ip' && isIP(value) === 0) return { field, problem: 'is not an IP address' }
    person[field] = value
  }
  if (Object.keys(person).length === 0)
    return { field: 'id', problem: 'give a user id, an e-mail or an IP address' }
  return { person }
}

/** What is kept as proof: nobody reads the person out of it, and whoever has the same values finds it again. */
export function personHash(person: Person): string {
  const hash = createHash('sha256')
  for (const field of PERSON_FIELDS) hash.update(`${field}\0${person[field] ?? ''}\0`)
  return hash.digest('hex')
}

/** Values that are looked for in texts too. */
const textValues = ({ id, email, ip }: Person): readonly string[] => [
  ...(id !== undefined && id.length >= MIN_TEXT_CHARS ? [id] : []),
  ...(email === undefined ? [] : [email]),
  ...(ip === undefined ? [] : [ip]),
]

/** As they may be written: also as a part of an address, and escaped in JSON. */
const writtenAs = (value: string): readonly string[] => [
  ...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]),
]

export type PersonTexts = {
  /** Each text that means the person contains one of these, whatever its case. */
  readonly needles: readonly string[]
  /** For RE2, whatever the case: `anna@example.com` is not in `joanna@example.com`, nor `10.0.0.1` in `10.0.0.12`. */
  readonly pattern: string
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
const WORD = '0-9A-Za-z_@'
// What `%3D`, `\n` and `\u003c` end with is no letter of a word.
const ESCAPES = '%[0-9A-Fa-f]{2}|\\\\[nrtbf]|\\\\u[0-9A-Fa-f]{4}'

const beforeOf = (value: string): string => `[^${WORD}.+${value.includes(':') ? ':' : ''}-]`
const afterOf = (value: string): string => `[^${WORD}.${value.includes(':') ? ':' : ''}-]`

/** Undefined: nothing of the person is long enough to be looked for in texts. */
export function personTexts(person: Person): PersonTexts | undefined {
  const values = textValues(person)
  if (values.length === 0) return undefined
  const patterns = values.map((value) => {
    const written = writtenAs(value).map(escaped).join('|')
    return `(?:^|${beforeOf(value)}|${ESCAPES})(?:${written})(?:$|${afterOf(value)}|\\.(?:$|[^0-9A-Za-z]))`
  })
  return {
    needles: [...new Set(values.flatMap(writtenAs))],
    pattern: `(?i)(?:${patterns.join('|')})`,
  }
}

/** What stands in a text instead of what was erased. */
export const ERASED = '[Erased]'

export type PersonEraser = {
  /** Whether the text names the person. */
  has(text: string): boolean
  /** The text without it. */
  erase(text: string): string
}

/** The same rule as `personTexts`, for texts at hand. */
export function personEraser(person: Person): PersonEraser | undefined {
  const values = textValues(person)
  if (values.length === 0) return undefined
  const patterns = values.map((value) => {
    const written = writtenAs(value).map(escaped).join('|')
    return `(?<=^|${beforeOf(value)}|${ESCAPES})(?:${written})(?=$|${afterOf(value)}|\\.(?:$|[^0-9A-Za-z]))`
  })
  const pattern = new RegExp(patterns.join('|'), 'gi')
  const needles = values.flatMap(writtenAs).map((text) => text.toLowerCase())
  const mayHave = (text: string): boolean => {
    const lower = text.toLowerCase()
    return needles.some((needle) => lower.includes(needle))
  }
  return {
    has: (text) => mayHave(text) && text.search(pattern) >= 0,
    erase: (text) => (mayHave(text) ? text.replace(pattern, ERASED) : text),
  }
}
