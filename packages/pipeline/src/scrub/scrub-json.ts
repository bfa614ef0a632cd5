/** Removes secrets from JSON of any shape. What needs no change is returned as it is. */
import type { Json, Pair } from '@sonde/protocol/event'
import { remark, within, type Scope } from '../normalize/meta-remarks.ts'
import { isCardNumber, scrubText } from './scrub-text.ts'
import { FILTERED, FILTERED_CARD, type KeyRules, type Sensitivity } from './settings.ts'

// Normalised bags are at most 7 deep; whatever else comes here must not exhaust the stack.
const MAX_DEPTH = 64
// Shorter names hold no name and value.
const MIN_TEXT = 8

export function scrubJson(scope: Scope, value: Json, rules: KeyRules, depth = 0): Json {
  if (typeof value === 'string') return scrubString(scope, value, rules)
  if (typeof value === 'number') return scrubNumber(scope, value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return FILTERED
  return Array.isArray(value)
    ? scrubList(scope, value, rules, depth)
    : scrubObject(scope, value as JsonRecord, rules, depth)
}

type JsonRecord = { readonly [key: string]: Json }

export function scrubString(scope: Scope, text: string, rules: KeyRules): string {
  const scrubbed = scrubText(text, rules)
  if (scrubbed === undefined) return text
  remark(scope, undefined, 'scrubbed', scrubbed.rule, text.length)
  return scrubbed.text
}

function scrubNumber(scope: Scope, value: number): Json {
  if (value < 1e12 || !Number.isSafeInteger(value) || !isCardNumber(String(value))) return value
  remark(scope, undefined, 'scrubbed', '@creditcard')
  return FILTERED_CARD
}

/** A value under a name that promises a secret. Booleans and null hold none. */
export function isSecret(value: Json | undefined, sensitivity: Sensitivity): boolean {
  if (sensitivity === 'no' || value === undefined || value === null || typeof value === 'boolean')
    return false
  if (value === FILTERED || value === '') return false
  return sensitivity === 'always' || !isNumeric(value)
}

function isNumeric(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

function scrubObject(scope: Scope, record: JsonRecord, rules: KeyRules, depth: number): Json {
  let copy: Record<string, Json> | undefined
  for (const key of Object.keys(record)) {
    const before = record[key]!
    let after: Json
    if (isSecret(before, rules(key)) || isNamedSecret(record, key, before, rules)) {
      remark(scope, key, 'scrubbed', '@password')
      after = FILTERED
    } else if (typeof before === 'boolean' || before === null) continue
    else after = scrubJson(within(scope, key), before, rules, depth + 1)
    if (after !== before) (copy ??= { ...record })[key] = after
  }
  return scrubNames(scope, copy ?? record, rules)
}

/** A text may stand where a name is expected: a URL as key of a map, a JSON body read as a query. */
function scrubNames(scope: Scope, record: JsonRecord, rules: KeyRules): JsonRecord {
  const isText = (key: string) => key.length >= MIN_TEXT && scrubText(key, rules) !== undefined
  if (!Object.keys(record).some(isText)) return record
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [scrubName(scope, key, rules), value]),
  )
}

function scrubName(scope: Scope, name: string, rules: KeyRules): string {
  const scrubbed = name.length < MIN_TEXT ? undefined : scrubText(name, rules)
  if (scrubbed === undefined) return name
  remark(scope, scrubbed.text, 'scrubbed', scrubbed.rule, name.length)
  return scrubbed.text
}

/** `{"name": "password", "value": "…"}`: lists of fields, headers and cookies are often written so. */
function isNamedSecret(record: JsonRecord, key: string, value: Json, rules: KeyRules): boolean {
  if (key !== 'value') return false
  const name = record.name ?? record.key
  return typeof name === 'string' && isSecret(value, rules(name))
}

function scrubList(scope: Scope, list: readonly Json[], rules: KeyRules, depth: number): Json {
  let copy: Json[] | undefined
  // `["password", "…"]`: a pair, as headers and form fields are listed.
  const [name, value] = list
  if (list.length === 2 && typeof name === 'string' && isSecret(value, rules(name))) {
    remark(scope, 1, 'scrubbed', '@password')
    return [scrubString(within(scope, 0), name, rules), FILTERED]
  }
  for (let index = 0; index < list.length; index++) {
    const before = list[index]!
    const after = scrubJson(within(scope, index), before, rules, depth + 1)
    if (after !== before) (copy ??= [...list])[index] = after
  }
  return copy ?? list
}

/** Pairs of an interface: tags, headers, query strings. `all` removes every value. */
export function scrubPairs(
  scope: Scope,
  pairs: readonly Pair[],
  rules: KeyRules,
  all = false,
): readonly Pair[] {
  let copy: Pair[] | undefined
  for (let index = 0; index < pairs.length; index++) {
    const [name, before] = pairs[index]!
    let after: string
    if (isSecret(before, all ? 'always' : rules(name))) {
      remark(scope, name, 'scrubbed', '@password')
      after = FILTERED
    } else after = scrubString(within(scope, name), before, rules)
    const newName = scrubName(scope, name, rules)
    if (after !== before || newName !== name) (copy ??= [...pairs])[index] = [newName, after]
  }
  return copy ?? pairs
}
