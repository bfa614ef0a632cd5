/**
 * Tags that the SDK set: keys `[a-zA-Z0-9_.:-]`, values of one line and at most 200 characters. Some keys belong to
 * fields of the event and are not taken (https://develop.sentry.dev/sdk/data-model/event-payloads/#optional-attributes).
 */
import type { JsonObject, NormalizedEvent, Pair } from '@sonde/protocol/event'
import { contextText } from './contexts.ts'
import { mainException } from './exceptions.ts'
import { invalid, remark, type Scope, within } from './meta-remarks.ts'
import { cleanText, emptyRecord, lenientText, rawPairs } from './read-fields.ts'
import { userKeyOf } from './user.ts'

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

/**
 * The tags by which an event is searched and counted: what the SDK set, and what its fields say. The SDK's own win.
 * Ids of traces are no tags: nearly every event has its own, and they have a column that `trace:…` searches.
 * Names as Sentry has them (https://docs.sentry.io/concepts/search/searchable-properties/events/).
 */
const MAX_DERIVED_VALUE = 200

export function deriveTags(event: NormalizedEvent): Record<string, string> {
  const tags = emptyRecord<string>()
  for (const [key, value] of event.tags ?? []) tags[key] = value
  const add = (key: string, value: string | undefined) => {
    const text = value?.trim().slice(0, MAX_DERIVED_VALUE)
    if (text && !(key in tags)) tags[key] = text
  }
  add('level', event.level)
  add('logger', event.logger)
  add('environment', event.environment)
  add('release', event.release)
  add('dist', event.dist)
  add('user', userKeyOf(event.user))
  add('url', event.request?.url)
  add('transaction', event.transaction)
  add('server_name', event.server_name)
  addMechanism(event, add)
  add('sdk.name', event.sdk?.name)
  add('noise.class', event.derived.noise?.class)
  add('noise.rule', event.derived.noise?.rule)
  add('noise.match', event.derived.noise?.match)
  addContexts(event.contexts ?? {}, add)
  return tags
}

type Add = (key: string, value: string | undefined) => void

function addMechanism(event: NormalizedEvent, add: Add): void {
  const mechanism = mainException(event)?.mechanism
  if (!mechanism) return
  add('mechanism', mechanism.type)
  if (mechanism.handled !== undefined) add('handled', mechanism.handled ? 'yes' : 'no')
}

function addContexts(contexts: Readonly<Record<string, JsonObject>>, add: Add): void {
  for (const [key, context] of Object.entries(contexts)) {
    const type = contextText(context, 'type')
    if (type === 'os' || type === 'browser' || type === 'runtime') addNamed(key, context, add)
  }
  // A visitor's system answers `os` where the server's own is not known.
  if (contexts.client_os) addNamed('os', contexts.client_os, add)
  add('os.rooted', yesNo(contexts.os?.rooted))
  add('device', contextText(contexts.device, 'model'))
  add('device.family', contextText(contexts.device, 'family'))
  add('device.class', contextText(contexts.device, 'class'))
  add('app.device', contextText(contexts.app, 'device_app_hash'))
  add('gpu.name', contextText(contexts.gpu, 'name'))
  add('gpu.vendor', contextText(contexts.gpu, 'vendor_name'))
  add('replayId', contextText(contexts.replay, 'replay_id'))
  add('monitor.slug', contextText(contexts.monitor, 'slug'))
}

function addNamed(key: string, context: JsonObject, add: Add): void {
  const name = contextText(context, 'name')
  const version = contextText(context, 'version')
  if (name === undefined) {
    add(key, contextText(context, 'raw_description'))
    return
  }
  if (version !== undefined) add(key, `${name} ${version}`)
  add(`${key}.name`, name)
}

function yesNo(value: unknown): string | undefined {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : undefined
}
