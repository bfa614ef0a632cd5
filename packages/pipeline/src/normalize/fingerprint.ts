import { cutText, lenientText } from './read.ts'
import { cleanText } from './clean-json.ts'
import { invalid, type Scope } from './scope.ts'

const MAX_PARTS = 50
const MAX_PART = 1024

/** A list, or one value alone. Floats are dropped unless integral: their text is not stable. Empty means absent. */
export function readFingerprint(scope: Scope, raw: unknown): string[] | undefined {
  if (raw === undefined || raw === null) return undefined
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  const parts: string[] = []
  for (const value of list.slice(0, MAX_PARTS)) {
    if (value === null || (typeof value === 'number' && !Number.isInteger(value))) continue
    const text = lenientText(value)
    if (text === undefined) invalid(scope, 'fingerprint', value)
    else parts.push(cutText(cleanText(text), MAX_PART))
  }
  return parts.length > 0 ? parts : undefined
}
