/** https://develop.sentry.dev/sdk/data-model/event-payloads/contexts/ */
import type { Json, JsonObject } from '@sonde/protocol/event'
import { BAG, objectBag } from './bag.ts'
import { cleanText } from './clean-json.ts'
import { isObject, type RawObject } from './read.ts'
import { describeRaw } from './raw-description.ts'
import { invalid, remark, within, type Scope } from './scope.ts'
import { readTraceContext } from './trace-context.ts'

export type Contexts = Record<string, JsonObject>

const MAX_CONTEXTS = 100
const MAX_FLAGS = 100

/** Each context gets its `type`; null fields are absent; `reprocessing` is upstream's own and removed. */
export function readContexts(scope: Scope, raw: unknown): Contexts {
  const contexts: Contexts = {}
  if (raw === undefined || raw === null) return contexts
  if (!isObject(raw)) {
    invalid(scope, 'contexts', raw)
    return contexts
  }
  const contextsScope = within(scope, 'contexts')
  let count = 0
  for (const key of Object.keys(raw)) {
    const value = raw[key]
    if (value === undefined || value === null || key === '__proto__' || key === 'reprocessing') continue
    const name = cleanText(key).slice(0, 200)
    if (!isObject(value)) {
      invalid(contextsScope, name, value)
      continue
    }
    if (++count > MAX_CONTEXTS) {
      remark(scope, 'contexts', 'trimmed', '!limit', Object.keys(raw).length)
      break
    }
    const context = readContext(contextsScope, name, value)
    if (context) contexts[name] = context
  }
  return contexts
}

function readContext(scope: Scope, name: string, raw: RawObject): JsonObject | undefined {
  const present: Record<string, unknown> = {}
  for (const key of Object.keys(raw))
    if (raw[key] !== null && raw[key] !== undefined && key !== '__proto__') present[key] = raw[key]
  if (name === 'trace') return readTraceContext(within(scope, name), present)
  if (name === 'flags' && Array.isArray(present.values)) present.values = present.values.slice(-MAX_FLAGS)
  const bag = objectBag(scope, name, present, BAG.large)
  if (bag === undefined) return undefined
  return describeRaw(typeof bag.type === 'string' ? bag : { ...bag, type: name })
}

/** A context's field as text, for tags and titles. */
export function contextText(context: JsonObject | undefined, key: string): string | undefined {
  const value: Json | undefined =
    context === undefined || !Object.hasOwn(context, key) ? undefined : context[key]
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' ? String(value) : undefined
}
