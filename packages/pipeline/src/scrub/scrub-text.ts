/**
 * Removes secrets from one text. A first look over the characters decides which patterns can match at all: most texts
 * of an event hold none of the signs and cost one pass.
 */
import { scrubAssignments } from './assignments.ts'
import { scrubCards } from './card-numbers.ts'
import type { KeyRules } from './sensitive-keys.ts'
import { scrubBearer, scrubJwt, scrubPem, scrubSocialSecurity, scrubUrlLogin } from './text-patterns.ts'

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
