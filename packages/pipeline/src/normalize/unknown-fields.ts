/** What is stored and shown as it came: extra, modules, images, errors of the SDK, and fields that we do not know. */
import type { Json, JsonObject, ProcessingError } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject, trimJson } from './bounded-json.ts'
import { remark, within, type Scope } from './meta-remarks.ts'
import { cleanText, isObject, lenientText, type RawObject, textField } from './read-fields.ts'

const MODULES_BYTES = 32_768
const IMAGES = { bytes: 512 * 1024, depth: 7 }
const MAX_ERRORS = 50
const MAX_KEY = 200

/** A budget for each value and one for all. */
export function readExtra(scope: Scope, key: string, raw: unknown): JsonObject | undefined {
  const source: unknown = Array.isArray(raw) ? Object.fromEntries(raw.entries()) : raw
  if (!isObject(source)) return undefined
  const extraScope = within(scope, key)
  const extra: Record<string, Json> = {}
  let left: number = JSON_LIMITS.massive.bytes
  let count = 0
  for (const name of Object.keys(source)) {
    const value = source[name]
    if (value === undefined || name === '__proto__') continue
    if (left <= 0) {
      remark(scope, key, 'trimmed', '!limit', Object.keys(source).length)
      break
    }
    const shortName = cleanText(name).slice(0, MAX_KEY)
    const kept = trimJson(extraScope, shortName, value, JSON_LIMITS.larger)
    left -= sizeOf(kept) + shortName.length
    extra[shortName] = kept
    count++
  }
  return count > 0 ? extra : undefined
}

/** Exact only where it matters: a value is at most `BAG.larger`, so small ones are counted roughly. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}

export function readModules(scope: Scope, raw: unknown): Record<string, string> | undefined {
  if (!isObject(raw)) return undefined
  const modules: Record<string, string> = {}
  let left = MODULES_BYTES
  let count = 0
  for (const name of Object.keys(raw)) {
    const version = lenientText(raw[name]) ?? ''
    left -= name.length + version.length + 6
    if (left < 0) {
      remark(scope, 'modules', 'trimmed', '!limit', Object.keys(raw).length)
      break
    }
    if (name === '__proto__') continue
    modules[cleanText(name)] = cleanText(version)
    count++
  }
  return count > 0 ? modules : undefined
}

export function readDebugMeta(scope: Scope, raw: unknown): JsonObject | undefined {
  return boundedObject(scope, 'debug_meta', raw, IMAGES)
}

export function readSdkErrors(scope: Scope, raw: unknown): ProcessingError[] {
  if (!Array.isArray(raw)) return []
  const errorScope = within(scope, 'errors')
  const errors: ProcessingError[] = []
  for (const entry of raw.slice(0, MAX_ERRORS) as readonly unknown[]) {
    if (!isObject(entry)) continue
    const type = textField(errorScope, entry, 'type', 128) ?? 'unknown_error'
    const name = textField(errorScope, entry, 'name', 256)
    const value =
      entry.value === undefined || entry.value === null
        ? undefined
        : trimJson(errorScope, 'value', entry.value, JSON_LIMITS.small)
    errors.push({ type, ...(name !== undefined && { name }), ...(value !== undefined && { value }) })
  }
  return errors
}

const KNOWN = new Set(
  (
    'event_id type platform level timestamp received logger transaction server_name site release dist environment ' +
    'fingerprint checksum culprit tags extra modules logentry message exception stacktrace threads breadcrumbs ' +
    'request user contexts sdk debug_meta errors csp hpkp expectct expectstaple ' +
    'sentry.interfaces.Message sentry.interfaces.Exception sentry.interfaces.Stacktrace sentry.interfaces.Breadcrumbs ' +
    'sentry.interfaces.Http sentry.interfaces.User sentry.interfaces.Contexts sentry.interfaces.Csp threads ' +
    // Reports in the spelling of browsers: kept under their own name by the security reader.
    'csp-report expect-ct-report expect-staple-report'
  ).split(' '),
)

/** Undefined when the SDK sent nothing that we do not know. */
export function readUnknown(scope: Scope, raw: RawObject, added: RawObject): JsonObject | undefined {
  let rest: Record<string, unknown> | undefined
  for (const key of Object.keys(raw))
    if (!KNOWN.has(key) && raw[key] !== null && raw[key] !== undefined && key !== '__proto__')
      (rest ??= {})[key] = raw[key]
  for (const key of Object.keys(added)) (rest ??= {})[key] = added[key]
  return rest && readExtra(scope, 'unknown', rest)
}
