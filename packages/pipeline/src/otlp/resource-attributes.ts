/**
 * What a resource says, as it is written on each of its spans: a request of 10,000 spans repeats it 10,000 times, so it
 * is bounded where a span's own attributes need not be.
 */
import { cutText, type RawObject } from '../normalize/read.ts'
import { attributeValue } from '../spans/attributes.ts'

const MAX_ATTRIBUTES = 64
const MAX_VALUE = 512
// With names: what 10,000 spans then have in common is 40 MB of text.
const MAX_TEXT = 4_096
/** What releases, environments and platforms are read from comes first, wherever it stands. */
const FIRST = /^(?:service|deployment|telemetry|otel)\./

export type ResourceAttributes = { readonly attributes: RawObject; readonly cut: boolean }

export function resourceAttributes(...sources: readonly RawObject[]): ResourceAttributes {
  const given = sources.flatMap((source) => Object.entries(source))
  const ordered = [...given.filter(([key]) => FIRST.test(key)), ...given.filter(([key]) => !FIRST.test(key))]
  const attributes: Record<string, string | number> = {}
  let left = MAX_TEXT
  let count = 0
  let cut = false
  for (const [key, raw] of ordered) {
    const value = attributeValue(raw)
    if (value === undefined || Object.hasOwn(attributes, key)) continue
    const kept = typeof value === 'string' ? cutText(value, MAX_VALUE) : value
    const length = key.length + (typeof kept === 'string' ? kept.length : 8)
    if (kept !== value) cut = true
    if (count >= MAX_ATTRIBUTES || length > left) {
      cut = true
      continue
    }
    attributes[key] = kept
    left -= length
    count++
  }
  return { attributes, cut }
}
