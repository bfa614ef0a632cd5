/**
 * Removes secrets from one text. A first look over the characters decides which patterns can match at all: most texts
 * of an event hold none of the signs and cost one pass.
 */
import { scrubAssignments } from './assignments.ts'
import { FILTERED, FILTERED_CARD, type KeyRules } from './settings.ts'

/** Secrets that are known by their own shape. Every pattern is linear in the length of the text. */
const SSN = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g
// A digit or padding is asked for: "basic authentication" is prose.
const BEARER = /\b(bearer|basic)( {1,4})(?=[^\s"',;]{0,4096}[\d=])[\w.~+/=-]{8,}/gi
const JWT_SHAPE = /^[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?$/
const TOKEN_END = /[^\w.-]/g

function scrubSocialSecurity(text: string): string {
  return text.replaceAll(SSN, FILTERED)
}

function scrubBearer(text: string): string {
  return text.replaceAll(BEARER, `$1$2${FILTERED}`)
}

/** JSON Web Tokens. Scanned by hand: a pattern would start over at every `eyJ` of a long hostile text. */
function scrubJwt(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at)) {
    TOKEN_END.lastIndex = at
    const end = TOKEN_END.exec(text)?.index ?? text.length
    if (JWT_SHAPE.test(text.slice(at, end))) {
      out += text.slice(from, at) + FILTERED
      from = end
    }
    at = end
  }
  return from === 0 ? text : out + text.slice(from)
}

/** `-----BEGIN … KEY-----` up to its end, or to the end of a text that was cut. Certificates are public and stay. */
function scrubPem(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('-----BEGIN '); at >= 0; at = text.indexOf('-----BEGIN ', at)) {
    const nameEnd = text.indexOf('-----', at + 11)
    const name = text.slice(at + 11, nameEnd < 0 ? at + 60 : Math.min(nameEnd, at + 60))
    if (!name.includes('KEY')) {
      at += 11
      continue
    }
    const endMark = text.indexOf('-----END ', at + 11)
    const close = endMark < 0 ? -1 : text.indexOf('-----', endMark + 9)
    out += text.slice(from, at) + FILTERED
    from = close < 0 ? text.length : close + 5
    at = from
  }
  return from === 0 ? text : out + text.slice(from)
}

const AUTHORITY_END = /[/?#\s"'<>\\]/g

/** `scheme://user:pass@host` → `scheme://[Filtered]@host`. A user alone stays: that is what a DSN looks like. */
function scrubUrlLogin(text: string): string {
  let out = ''
  let from = 0
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at)) {
    const start = at + 3
    AUTHORITY_END.lastIndex = start
    const end = AUTHORITY_END.exec(text)?.index ?? text.length
    const authority = text.slice(start, end)
    const login = authority.lastIndexOf('@')
    const colon = authority.indexOf(':')
    if (colon >= 0 && colon < login) {
      out += `${text.slice(from, start)}${FILTERED}`
      from = start + login
    }
    at = end
  }
  return from === 0 ? text : out + text.slice(from)
}

export type ScrubbedText = { readonly text: string; readonly rule: string }

// Shorter than the shortest assignment of a secret (`pw=1`).
const MIN_LENGTH = 4
// What one pattern leaves may be a name for another; each pass only removes, so a few always suffice.
const MAX_PASSES = 4

const DIGIT = 1
const EQUALS = 2
const COLON = 3
const AT = 4
const DASH = 5
const DOT = 6
const SIGNS = new Uint8Array(128)
SIGNS.fill(DIGIT, 0x30, 0x3a)
SIGNS[0x3d] = EQUALS
SIGNS[0x3a] = COLON
SIGNS[0x40] = AT
SIGNS[0x2d] = DASH
SIGNS[0x2e] = DOT

/** Undefined when there is nothing to remove; `rule` names the first rule that did. */
export function scrubText(text: string, sensitivityOf: KeyRules): ScrubbedText | undefined {
  if (text.length < MIN_LENGTH) return undefined
  let rule: string | undefined
  let current = text
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = current
    const apply = (name: string, after: string) => {
      if (after === current) return
      current = after
      rule ??= name
    }
    runPatterns(before, () => current, sensitivityOf, apply)
    if (current === before) break
  }
  return rule === undefined ? undefined : { text: current, rule }
}

function runPatterns(
  text: string,
  current: () => string,
  sensitivityOf: KeyRules,
  apply: (rule: string, after: string) => void,
): void {
  const counts = [0, 0, 0, 0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const sign = code < 128 ? SIGNS[code]! : 0
    if (sign !== 0) counts[sign]!++
  }
  const digits = counts[DIGIT]!
  if (counts[DASH]! >= 10 && text.includes('-----BEGIN ')) apply('@pemkey', scrubPem(current()))
  if (counts[AT]! > 0 && counts[COLON]! > 1) apply('@urlauth', scrubUrlLogin(current()))
  if (counts[EQUALS]! > 0 || counts[COLON]! > 0)
    apply('@password', scrubAssignments(current(), sensitivityOf))
  if (digits > 0 || counts[EQUALS]! > 0) {
    if (text.length >= 14 && text.includes(' ')) apply('@bearer', scrubBearer(current()))
    if (counts[DOT]! > 0 && text.length >= 20 && text.includes('eyJ')) apply('@jwt', scrubJwt(current()))
  }
  if (digits >= 13) apply('@creditcard', scrubCards(current()))
  if (digits >= 9 && counts[DASH]! >= 2) apply('@usssn', scrubSocialSecurity(current()))
}

/** 13 to 19 digits in one piece, or in the groups that are printed on cards; not as part of a longer word or number. */
const CANDIDATE =
  /(?<![\w.]|\w-)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?!\w|-\d|\.\d)/g

/** First digits of the card networks; without them every tenth long id would pass for a card. */
const NETWORK = /^(?:4|5[1-5]|2[2-7]|3[4-9]|6[0245]|8)/

function scrubCards(text: string): string {
  let out = ''
  let from = 0
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    if (isCardNumber(match[0])) {
      out += text.slice(from, match.index) + FILTERED_CARD
      from = CANDIDATE.lastIndex
      continue
    }
    // `1234 4111 1111 1111 1111`: the card may begin with the next group.
    const group = match[0].search(/[ -]/)
    if (group > 0) CANDIDATE.lastIndex = match.index + group
  }
  return from === 0 ? text : out + text.slice(from)
}

/** By the network's first digits and the Luhn sum. Spaces and dashes are ignored. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  if (digits.length < 13 || digits.length > 19 || !NETWORK.test(digits)) return false
  let sum = 0
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48
    const value = double ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
