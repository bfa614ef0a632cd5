/**
 * The tags by which an event is searched and counted: what the SDK set, and what its fields say. The SDK's own win.
 * Ids of traces are no tags: nearly every event has its own, and they have a column that `trace:…` searches.
 * Names as Sentry has them (https://docs.sentry.io/concepts/search/searchable-properties/events/).
 */
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import { contextText } from './contexts.ts'
import { emptyRecord } from './read.ts'
import { mainException } from './main-exception.ts'
import { userKeyOf } from './user.ts'

const MAX_VALUE = 200

export function deriveTags(event: NormalizedEvent): Record<string, string> {
  const tags = emptyRecord<string>()
  for (const [key, value] of event.tags ?? []) tags[key] = value
  const add = (key: string, value: string | undefined) => {
    const text = value?.trim().slice(0, MAX_VALUE)
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
