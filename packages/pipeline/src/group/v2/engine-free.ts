/**
 * Errors that V8, SpiderMonkey and JavaScriptCore throw for one mistake, in words that are the same for all of them. Only
 * whole messages of the engines themselves are known here; what a program says stays as it is.
 */
import type { Exception } from '@sonde/protocol/event'

/** Engines' messages are short; longer ones are a program's. */
const MAX_CHARACTERS = 400

type Form = readonly [pattern: RegExp, words: string]

const TYPE_ERRORS: readonly Form[] = [
  // V8: since 2021, and before.
  [
    /^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '([\w$]{1,100})'\)$/,
    '<nothing>.$1',
  ],
  [/^Cannot (?:read|set) property '([\w$]{1,100})' of (?:undefined|null)$/, '<nothing>.$1'],
  // SpiderMonkey.
  [/^can't access property "([\w$]{1,100})", [^\n]{1,120} is (?:undefined|null)$/, '<nothing>.$1'],
  // JavaScriptCore: the last name is the property.
  [/^(?:undefined|null) is not an object \(evaluating '[\w$.]{0,120}\.([\w$]{1,100})'\)$/, '<nothing>.$1'],
  [/^([\w$.]{1,120}) is not a function\. \(In '[^\n]{0,200}$/, '$1 is not a function'],
]
const FETCH_ERRORS: readonly Form[] = [
  // Chromium, Firefox, Safari; the SDK adds the host.
  [
    /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.?|Load failed)( \([\w.:-]{1,200}\))?$/,
    '<fetch failed>$1',
  ],
]
const REFERENCE_ERRORS: readonly Form[] = [[/^Can't find variable: ([\w$]{1,100})$/, '$1 is not defined']]
const SYNTAX_ERRORS: readonly Form[] = [
  [/^Unexpected token [^\n]{1,200} is not valid JSON$/, '<invalid JSON>'],
  [/^Unexpected (?:token [^\n]{1,3}|end of JSON input)(?: in JSON at position \d{1,12})?$/, '<invalid JSON>'],
  [/^JSON\.parse: [^\n]{1,80} of the JSON data$/, '<invalid JSON>'],
  [/^JSON Parse error: [^\n]{1,100}$/, '<invalid JSON>'],
]
const BY_TYPE = new Map<string, readonly Form[]>([
  ['TypeError', [...TYPE_ERRORS, ...FETCH_ERRORS]],
  ['ReferenceError', REFERENCE_ERRORS],
  ['SyntaxError', SYNTAX_ERRORS],
])

/** The same exception where no engine said it. */
export function engineFree(exception: Exception): Exception {
  const { type, value } = exception
  if (value === undefined || value.length > MAX_CHARACTERS) return exception
  for (const [pattern, words] of BY_TYPE.get(type ?? '') ?? []) {
    if (pattern.test(value)) return { ...exception, value: value.replace(pattern, words) }
  }
  return exception
}
