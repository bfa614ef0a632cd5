/**
 * Tags that the SDK set: keys `[a-zA-Z0-9_.:-]`, values of one line and at most 200 characters. Some keys belong to
 * fields of the event and are not taken (https://develop.sentry.dev/sdk/data-model/event-payloads/#optional-attributes).
 */
import type { Pair } from '@sonde/protocol/event'
import { cleanText } from './clean-json.ts'
import { rawPairs } from './pairs.ts'
import { lenientText } from './read.ts'
import { invalid, remark, within, type Scope } from './scope.ts'

const MAX_KEY = 200
const MAX_VALUE = 200
const MAX_TAGS = 200
const VALID_KEY = /^[a-zA-Z0-9_.:-]+$/
const RESERVED = new Set(['release', 'dist', 'user', 'filename', 'function', 'environment'])

/** `environment` is what stood in the tag of that name. The first of a repeated key wins; order is kept. */
export type ReadTags = { readonly tags: Pair[]; readonly environment?: string }

export function readTags(scope: Scope, raw: unknown): ReadTags {
  const tags: Pair[] = []
  if (raw === undefined || raw === null) return { tags }
  const tagsScope = within(scope, 'tags')
  const seen = new Set<string>()
  let environment: string | undefined
  for (const [rawKey, rawValue] of rawPairs(raw)) {
    const key = cleanText(lenientText(rawKey) ?? '')
      .trim()
      .replaceAll(' ', '-')
    const value = readValue(tagsScope, key, rawValue)
    if (value === undefined) continue
    if (key === 'environment') environment ??= value
    if (RESERVED.has(key) || seen.has(key)) continue
    if (key.length > MAX_KEY || !VALID_KEY.test(key)) {
      invalid(tagsScope, key.slice(0, 50), value)
      continue
    }
    if (tags.length >= MAX_TAGS) {
      remark(scope, 'tags', 'trimmed', '!limit')
      break
    }
    seen.add(key)
    tags.push([key, value])
  }
  return environment === undefined ? { tags } : { tags, environment }
}

/** Too long is removed, not cut: a cut value would be found under a name that nobody set. */
function readValue(scope: Scope, key: string, raw: unknown): string | undefined {
  if (raw === undefined || raw === null) return undefined
  const text = lenientText(raw)
  if (text === undefined) {
    invalid(scope, key.slice(0, 50), raw)
    return undefined
  }
  const value = cleanText(text).trim()
  if (value === '') return undefined
  if (value.length > MAX_VALUE || value.includes('\n')) {
    remark(scope, key.slice(0, 50), 'trimmed', '!limit', value.length)
    invalid(scope, key.slice(0, 50), value, value.includes('\n') ? 'invalid_data' : 'value_too_long')
    return undefined
  }
  return value
}
