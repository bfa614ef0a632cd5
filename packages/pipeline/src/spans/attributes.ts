/** Attributes of a span as flat text and numbers, bounded: what a page sends must not fill the store. */
import { cleanText, cutText, isObject, type RawObject } from '../normalize/read-fields.ts'

export type Attributes = Record<string, string | number>

const MAX_ATTRIBUTES = 128
const MAX_KEY = 200
const MAX_VALUE = 4096

/** `cut`: more were sent than are kept. Null and undefined mean absent. */
export type ReadAttributes = { readonly attributes: Attributes; readonly cut: boolean }

/** Later sources do not replace values of earlier ones. */
export function readAttributes(...sources: readonly unknown[]): ReadAttributes {
  const attributes = Object.create(null) as Attributes
  let count = 0
  let cut = false
  for (const source of sources) {
    if (!isObject(source)) continue
    for (const rawKey of Object.keys(source)) {
      const value = attributeValue(source[rawKey])
      if (value === undefined || rawKey === '__proto__') continue
      const key = cleanText(rawKey).slice(0, MAX_KEY)
      if (key in attributes) continue
      if (count++ >= MAX_ATTRIBUTES) {
        cut = true
        break
      }
      attributes[key] = value
    }
  }
  return { attributes: { ...attributes }, cut }
}

export function attributeValue(raw: unknown): string | number | undefined {
  if (typeof raw === 'string') return cutText(cleanText(raw), MAX_VALUE)
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  if (typeof raw === 'boolean') return raw ? 'true' : 'false'
  if (typeof raw === 'bigint') return String(raw)
  if (raw === undefined || raw === null) return undefined
  return cutText(cleanText(JSON.stringify(raw)), MAX_VALUE)
}

/** `{type, value}` → value. Whole numbers beyond 2^53 come as text and stay text: a rounded id is a wrong id. */
export function plainAttributes(raw: unknown): RawObject {
  if (!isObject(raw)) return {}
  const plain: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    const attribute = raw[key]
    if (key !== '__proto__') plain[key] = isObject(attribute) ? typedValue(attribute) : attribute
  }
  return plain
}

function typedValue({ type, value }: RawObject): unknown {
  if (typeof value !== 'string' || (type !== 'integer' && type !== 'double')) return value
  const number = Number(value)
  return type === 'integer' && !Number.isSafeInteger(number) ? value : number
}

/** Where SDKs, OpenTelemetry among them, say the release. */
export const RELEASE_ATTRIBUTES = ['sentry.release', 'release', 'service.version'] as const

/** The first of these names that says something, as text; empty when none does. */
export function textOf(attributes: Readonly<Attributes>, ...names: readonly string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (value !== undefined && value !== '') return String(value)
  }
  return ''
}

/** Undefined when none of the names holds a number (or the text of one). */
export function numberOf(attributes: Readonly<Attributes>, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (value === undefined || value === '') continue
    const number = Number(value)
    if (Number.isFinite(number)) return number
  }
  return undefined
}

/** `measurements`: name → `{value, unit}`, or the bare value. Times become milliseconds, sizes stay as they are. */
const MS_PER: Readonly<Record<string, number>> = {
  nanosecond: 1e-6,
  microsecond: 1e-3,
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}
/** A value whose unit is no time stays as it is. */
export function inMs(value: number, unit: unknown): number {
  return typeof unit === 'string' && Object.hasOwn(MS_PER, unit) ? value * (MS_PER[unit] ?? 1) : value
}

// SDKs send a dozen; custom ones are a person's, and bounded.
const MAX_MEASUREMENTS = 40

export function readMeasurements(raw: unknown): Record<string, number> {
  if (!isObject(raw)) return {}
  const entries: [string, number][] = []
  for (const [name, value] of Object.entries(raw)) {
    const given: unknown = isObject(value) ? value['value'] : value
    const unit: unknown = isObject(value) ? value['unit'] : undefined
    if (typeof given !== 'number' || !Number.isFinite(given) || name === '__proto__') continue
    entries.push([name.slice(0, 200), inMs(given, unit)])
    if (entries.length === MAX_MEASUREMENTS) break
  }
  return Object.fromEntries(entries)
}
