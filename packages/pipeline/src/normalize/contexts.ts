/** https://develop.sentry.dev/sdk/data-model/event-payloads/contexts/ */
import type { Json, JsonObject } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject } from './bounded-json.ts'
import { invalid, remark, type Scope, within } from './meta-remarks.ts'
import { cleanText, isObject, type RawObject } from './read-fields.ts'

/** `contexts.trace`: where in a trace the event happened. Ids are lower hex; all zeros means none. */
const ID_DIGITS: Readonly<Record<string, number>> = { trace_id: 32, span_id: 16, parent_span_id: 16 }

function readTraceContext(scope: Scope, raw: RawObject): JsonObject | undefined {
  const ids: Record<string, string> = {}
  const rest: Record<string, unknown> = { ...raw }
  for (const [key, digits] of Object.entries(ID_DIGITS)) {
    const value = raw[key]
    delete rest[key]
    if (value === undefined || value === '') continue
    const id = hexId(value, digits)
    if (id === undefined) invalid(scope, key, value)
    else ids[key] = id
  }
  const bag = boundedObject(scope, undefined, rest, JSON_LIMITS.large)
  if (bag === undefined && Object.keys(ids).length === 0) return undefined
  return { ...ids, ...bag, type: 'trace' }
}

export function hexId(value: unknown, digits: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const id = value.replaceAll('-', '').toLowerCase()
  return id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id) ? id : undefined
}

/** `raw_description` of an os or runtime context → name and version, where the SDK sent nothing else (.NET, Unity). */
const NAME_AND_VERSION = /^([A-Za-z.][A-Za-z. /+-]{0,60}?) v?(\d{1,8}(?:\.\d{1,8}){0,3})/

function describeRaw(context: JsonObject): JsonObject {
  const raw = context.raw_description
  if (typeof raw !== 'string' || context.name !== undefined) return context
  if (context.type !== 'os' && context.type !== 'runtime') return context
  const match = NAME_AND_VERSION.exec(raw)
  if (!match) return context
  const [, given = '', version = ''] = match
  if (context.type === 'runtime') return { ...context, name: given, version }
  // Both kernels count differently from the systems around them.
  if (given === 'Linux' || given === 'Darwin') return { ...context, name: given, kernel_version: version }
  const name = given.startsWith('Microsoft Windows') ? 'Windows' : given
  return { ...context, name, version }
}

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
  const bag = boundedObject(scope, name, present, JSON_LIMITS.large)
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

/** What the pipeline knows of an event besides its payload. */
export type NormalizeContext = {
  /** 32 lower hex; decided by the envelope. */
  readonly eventId: string
  readonly receivedMs: number
  /** `sent_at` of the envelope header. */
  readonly sentAtMs?: number | undefined
  readonly clientIp?: string | undefined
  /** `User-Agent` of the request that brought the event: used for reports that browsers send by themselves. */
  readonly userAgent?: string | undefined
  /** `event`, `security`, `feedback`, `nel`, … */
  readonly itemType: string
  /** `sentry.python/1.2.3`, from the authentication. */
  readonly sdkClient?: string | undefined
  /** `trace` of the envelope header. */
  readonly trace?: { readonly [key: string]: unknown } | undefined
  /** `sentry_release` and `sentry_environment` of a security report's URL. */
  readonly release?: string | undefined
  readonly environment?: string | undefined
  /** Events older than this are shown as of their arrival. */
  readonly retentionDays: number
  /** How far ahead a clock may be; 60 when absent. */
  readonly maxFutureSec?: number | undefined
}
