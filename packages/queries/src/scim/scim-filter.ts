/**
 * Filters of SCIM (https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2.2) and paths of its PATCH (3.5.2), read in one pass from
 * left to right, and bounded: in length, in how deep parentheses go, and in how much is compared.
 */
import { SondeError } from '@sonde/base'

const SCIM_OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ScimOperator = (typeof SCIM_OPERATORS)[number]
export type ScimValue = string | number | boolean | null

/** Names of attributes are in lower case, without the URN of the core schema: `emails.value`. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly part: ScimFilter }
  | { readonly kind: 'present'; readonly attribute: string }
  | {
      readonly kind: 'compare'
      readonly attribute: string
      readonly operator: ScimOperator
      readonly value: ScimValue
    }

/** `emails[type eq "work"].value`: attribute `emails`, the filter, and `value`. */
export type ScimPath = {
  readonly attribute: string
  readonly filter: ScimFilter | undefined
  readonly sub: string | undefined
}

const MAX_CHARS = 2_000
const MAX_DEPTH = 20
const MAX_COMPARISONS = 50

/** Throws `SondeError` (`invalid`, subject `filter`). */
export function parseScimFilter(text: string): ScimFilter {
  const reader = createReader(text, 'filter')
  const filter = readOr(reader, 0, '')
  reader.end()
  return filter
}

/** Throws `SondeError` (`invalid`, subject `path`). */
export function parseScimPath(text: string): ScimPath {
  const reader = createReader(text, 'path')
  const name = reader.name()
  const filter = reader.take('[') ? readBracket(reader, 0, '') : undefined
  const after = filter !== undefined && reader.take('.') ? reader.name() : undefined
  reader.end()
  const [attribute = '', ...rest] = name.split('.')
  if (rest.length > 1 || (filter && rest.length > 0) || after?.includes('.') === true)
    throw reader.wrong('an attribute has at most one part below it')
  return { attribute, filter, sub: after ?? rest[0] }
}

/** Token by token. `comparisons` counts over the whole text. */
function createReader(text: string, subject: 'filter' | 'path') {
  const operation = `read the ${subject}`
  if (text.length > MAX_CHARS)
    throw new SondeError('invalid', `the ${subject} has more than ${MAX_CHARS} characters`, {
      operation,
      subject,
    })
  let at = 0
  let comparisons = 0
  const wrong = (what: string) =>
    new SondeError('invalid', `the ${subject} is not understood at position ${at + 1}: ${what}`, {
      operation,
      subject,
    })
  const skip = () => {
    while (text[at] === ' ') at++
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  return {
    wrong,
    take(sign: string): boolean {
      skip()
      if (text[at] !== sign) return false
      at++
      return true
    },
    word(): string {
      skip()
      return (match(/[a-z]+/iy) ?? '').toLowerCase()
    },
    /** Takes the word only if it is this one. */
    takeWord(word: string): boolean {
      skip()
      const found = text.slice(at, at + word.length)
      if (found.toLowerCase() !== word || /[\w$.:-]/.test(text[at + word.length] ?? '')) return false
      at += word.length
      return true
    },
    name(): string {
      skip()
      const found = match(/[a-z$][\w$:.-]*/iy)
      if (found === undefined) throw wrong('an attribute is needed')
      // `urn:…:User:name.givenName`; the last part of a URN has no colon.
      return found.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '').toLowerCase()
    },
    value(): ScimValue {
      skip()
      const found = match(/"(?:[^"\\]|\\.)*"|true\b|false\b|null\b|-?\d+(?:\.\d+)?\b/iy)
      if (found === undefined)
        throw wrong('a value in double quotes, a number, true, false or null is needed')
      try {
        return JSON.parse(found.startsWith('"') ? found : found.toLowerCase()) as ScimValue
      } catch {
        throw wrong('the text is no JSON string')
      }
    },
    count() {
      if (++comparisons > MAX_COMPARISONS) throw wrong(`more than ${MAX_COMPARISONS} comparisons`)
    },
    end() {
      skip()
      if (at < text.length) throw wrong('nothing more is expected')
    },
  }
}
type Reader = ReturnType<typeof createReader>

function readOr(reader: Reader, depth: number, below: string): ScimFilter {
  if (depth > MAX_DEPTH) throw reader.wrong(`more than ${MAX_DEPTH} parentheses within each other`)
  return readChain(reader, 'or', () => readChain(reader, 'and', () => readOne(reader, depth, below)))
}

function readChain(reader: Reader, kind: 'and' | 'or', next: () => ScimFilter): ScimFilter {
  const first = next()
  const parts = [first]
  while (reader.takeWord(kind)) parts.push(next())
  return parts.length === 1 ? first : { kind, parts }
}

function readOne(reader: Reader, depth: number, below: string): ScimFilter {
  const isNot = reader.takeWord('not')
  if (reader.take('(')) {
    const part = readOr(reader, depth + 1, below)
    if (!reader.take(')')) throw reader.wrong('")" is needed')
    return isNot ? { kind: 'not', part } : part
  }
  if (isNot) throw reader.wrong('"(" is needed')
  const name = below + reader.name()
  if (!reader.take('[')) return readComparison(reader, name)
  if (below !== '') throw reader.wrong('brackets within brackets')
  const within = readBracket(reader, depth, `${name}.`)
  // Entra asks for `emails[type eq "work"].value eq "…"`.
  if (!reader.take('.')) return within
  return { kind: 'and', parts: [within, readComparison(reader, `${name}.${reader.name()}`)] }
}

function readBracket(reader: Reader, depth: number, below: string): ScimFilter {
  const within = readOr(reader, depth + 1, below)
  if (!reader.take(']')) throw reader.wrong('"]" is needed')
  return within
}

function readComparison(reader: Reader, attribute: string): ScimFilter {
  reader.count()
  const word = reader.word()
  if (word === 'pr') return { kind: 'present', attribute }
  const operator = SCIM_OPERATORS.find((known) => known === word)
  if (!operator) throw reader.wrong(`an operator is needed: ${SCIM_OPERATORS.join(', ')} or pr`)
  return { kind: 'compare', attribute, operator, value: reader.value() }
}
