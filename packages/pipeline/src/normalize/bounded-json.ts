/**
 * Bags: JSON of the user's own shape (extra, vars, context and breadcrumb data), held to a budget of bytes and depth.
 * Entries beyond the budget are dropped from the end; containers that are too deep become `[Object]` or `[Array]`, as
 * the JavaScript SDK itself writes them. What needs no change is returned as it is, not copied.
 */
import type { Json, JsonObject } from '@sonde/protocol/event'
import { remark, type Scope } from './meta-remarks.ts'
import { cleanText, cutText, isObject, type RawObject } from './read-fields.ts'

export type JsonLimit = { readonly bytes: number; readonly depth: number }

/** https://develop.sentry.dev/sdk/data-model/envelopes/#size-limits and the protocol's classes of bags. */
export const JSON_LIMITS = {
  small: { bytes: 1024, depth: 3 },
  medium: { bytes: 2048, depth: 5 },
  large: { bytes: 8192, depth: 7 },
  larger: { bytes: 16_384, depth: 7 },
  massive: { bytes: 262_144, depth: 7 },
} as const satisfies Record<string, JsonLimit>

// A cut of fewer characters would say nothing.
const MIN_CUT = 16

type Budget = { left: number; trimmed: boolean }

/** The value at `scope[key]` within `limit`; remarks on that field when something was left out. */
export function trimJson(
  scope: Scope,
  key: string | number | undefined,
  value: unknown,
  limit: JsonLimit,
): Json {
  const budget: Budget = { left: limit.bytes, trimmed: false }
  const trimmed = walk(value, limit.depth, budget)
  if (budget.trimmed)
    remark(scope, key, 'trimmed', '!limit', typeof value === 'string' ? value.length : undefined)
  return trimmed
}

/** As `trimBag`, for a value that has to be an object; anything else is absent. */
export function boundedObject(
  scope: Scope,
  key: string | number | undefined,
  value: unknown,
  limit: JsonLimit,
): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const trimmed = trimJson(scope, key, value, limit) as JsonObject
  for (const _ in trimmed) return trimmed
  return undefined
}

function walk(value: unknown, depth: number, budget: Budget): Json {
  switch (typeof value) {
    case 'string':
      return walkText(value, budget)
    case 'number':
      budget.left -= 8
      return Number.isFinite(value) ? value : String(value)
    case 'boolean':
      budget.left -= 5
      return value
    case 'bigint':
      budget.left -= 20
      return String(value)
    case 'object':
      if (value === null) break
      if (depth <= 0) {
        budget.trimmed = true
        budget.left -= 10
        return Array.isArray(value) ? '[Array]' : '[Object]'
      }
      budget.left -= 2
      return Array.isArray(value)
        ? walkList(value, depth, budget)
        : walkObject(value as RawObject, depth, budget)
    default:
  }
  budget.left -= 4
  return null
}

function walkText(text: string, budget: Budget): string {
  const clean = cleanText(text)
  // Bytes are estimated by UTF-16 units: exact for ASCII, and a third at the worst.
  if (clean.length + 2 <= budget.left) {
    budget.left -= clean.length + 2
    return clean
  }
  budget.trimmed = true
  const cut = cutText(clean, Math.max(budget.left, MIN_CUT))
  budget.left = 0
  return cut
}

function walkList(list: readonly unknown[], depth: number, budget: Budget): Json {
  let copy: Json[] | undefined
  for (let index = 0; index < list.length; index++) {
    if (budget.left <= 0) {
      budget.trimmed = true
      return copy ?? (list.slice(0, index) as Json[])
    }
    const before = list[index]
    const after = walk(before, depth - 1, budget)
    budget.left -= 1
    if (after === before) copy?.push(after)
    else (copy ??= list.slice(0, index) as Json[]).push(after)
  }
  return copy ?? (list as Json)
}

function walkObject(raw: RawObject, depth: number, budget: Budget): Json {
  let copy: Record<string, Json> | undefined
  const taken: string[] = []
  const start = () => {
    const out: Record<string, Json> = {}
    for (const key of taken) out[key] = raw[key] as Json
    return out
  }
  for (const key of Object.keys(raw)) {
    if (budget.left <= 0) {
      budget.trimmed = true
      return copy ?? start()
    }
    const name = cleanKey(key)
    const before = raw[key]
    // `__proto__` as a key would set the prototype of every copy made further on.
    if (name === '__proto__' || before === undefined) {
      copy ??= start()
      continue
    }
    budget.left -= name.length + 4
    const after = walk(before, depth - 1, budget)
    if (after === before && name === key) {
      if (copy === undefined) taken.push(key)
      else copy[key] = after
    } else (copy ??= start())[name] = after
  }
  return copy ?? (raw as JsonObject)
}

function cleanKey(key: string): string {
  return key.length > 200 ? cutText(cleanText(key), 200) : cleanText(key)
}
