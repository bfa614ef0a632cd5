/** Attributes of a span as flat text and numbers, bounded: what a page sends must not fill the store. */
import { cleanText } from '../normalize/clean-json.ts'
import { cutText, isObject } from '../normalize/read.ts'

export type Attributes = Record<string, string | number>

const MAX_ATTRIBUTES = 128
const MAX_KEY = 200
const MAX_VALUE = 4096

/** `cut`: more were sent than are kept. Null and undefined mean absent. */
export type ReadAttributes = { readonly attributes: Attributes; readonly cut: boolean }

/** Later sources do not replace what an earlier one said. */
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
