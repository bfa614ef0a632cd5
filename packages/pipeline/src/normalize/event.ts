/**
 * An event as its SDK sent it → the one form that is stored, queried and shown. Never throws: what cannot be read is
 * absent and told in `errors` and `_meta`. Rules: https://develop.sentry.dev/sdk/data-model/event-payloads/
 */
import type { EventType, NormalizedEvent } from '@sonde/protocol/event'
import { clockEvent } from './clock.ts'
import type { NormalizeContext } from './context.ts'
import { addInterfaces } from './interfaces.ts'
import { readFingerprint } from './fingerprint.ts'
import { readLevel } from './level.ts'
import { isKnownPlatform, readPlatform } from './platform.ts'
import { firstOf, isObject, listOf, textField, type Mutable, type RawObject } from './read.ts'
import { readReleaseFields } from './release.ts'
import { readExtra, readModules, readSdkErrors, readUnknown } from './rest.ts'
import { createRemarks, invalid, rootScope, type Scope } from './scope.ts'
import { expandSecurity, type Expanded } from './security-event.ts'
import { readTags } from './tags.ts'
import { culpritOf, metadataOf, titleOf } from './title.ts'

/** `raw` is parsed JSON; anything else gives an event that only says when it arrived. */
export function normalizeEvent(raw: unknown, context: NormalizeContext): NormalizedEvent {
  try {
    return build(raw, context)
  } catch (error) {
    // A defect of ours must not cost the event; what is left can still be counted and seen.
    const value = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    return bareEvent(context, { type: 'normalization_failed', value })
  }
}

function build(raw: unknown, context: NormalizeContext): NormalizedEvent {
  const remarks = createRemarks()
  const scope = rootScope(remarks)
  const expanded = expandSecurity(raw, context)
  const source = expanded.event
  if (!isObject(raw) && !expanded.security) invalid(scope, undefined, raw)

  const clock = clockEvent(scope, source.timestamp, context)
  const type = typeOf(source, expanded, context)
  const event: Mutable<Omit<NormalizedEvent, 'derived'>> = {
    event_id: context.eventId,
    type,
    platform: readPlatform(source.platform),
    level: readLevel(scope, source.level, type === 'feedback' ? 'info' : 'error'),
    timestamp: clock.timestamp,
    received: clock.received,
  }
  addScalars(event, scope, source)
  const userAgent = context.userAgent
  addInterfaces(event, scope, source, {
    ...context,
    userAgent,
    shiftSec: clock.shiftSec,
    isReport: !!expanded.security,
  })
  const unknown = readUnknown(scope, source, unknownOf(source, expanded))
  if (unknown) event.unknown = unknown

  const errors = [...readSdkErrors(scope, source.errors), ...remarks.errors]
  if (errors.length > 0) event.errors = errors
  const given = textField(scope, source, 'culprit', 200)
  return {
    ...event,
    ...(remarks.meta && { _meta: { ...remarks.meta } }),
    derived: { title: titleOf(event), culprit: culpritOf(event, given), metadata: metadataOf(event) },
  }
}

function addScalars(event: Mutable<Omit<NormalizedEvent, 'derived'>>, scope: Scope, raw: RawObject): void {
  const logger = textField(scope, raw, 'logger', 64)?.trim()
  if (logger) event.logger = logger
  const transaction = textField(scope, raw, 'transaction', 200)
  if (transaction !== undefined) event.transaction = transaction
  const serverName = textField(scope, raw, 'server_name', 256, 20)
  if (serverName !== undefined) event.server_name = serverName
  const { tags, environment } = readTags(scope, raw.tags)
  const names = readReleaseFields(scope, {
    release: raw.release,
    dist: raw.dist,
    environment: raw.environment ?? environment,
  })
  Object.assign(event, names)
  const fingerprint = readFingerprint(scope, raw.fingerprint)
  if (fingerprint) event.fingerprint = fingerprint
  const checksum = textField(scope, raw, 'checksum', 128)
  if (checksum !== undefined) event.checksum = checksum
  const site = textField(scope, raw, 'site', 200)
  if (site !== undefined && !tags.some(([key]) => key === 'site')) tags.push(['site', site])
  if (tags.length > 0) event.tags = tags
  const extra = readExtra(scope, 'extra', raw.extra)
  if (extra) event.extra = extra
  const modules = readModules(scope, raw.modules)
  if (modules) event.modules = modules
}

function typeOf(raw: RawObject, { security }: Expanded, { itemType }: NormalizeContext): EventType {
  if (security) return security.type
  if (itemType === 'feedback' || itemType === 'nel') return itemType
  const exception = firstOf(raw, ['exception', 'sentry.interfaces.Exception'])
  const stacktrace = firstOf(raw, ['stacktrace', 'sentry.interfaces.Stacktrace'])
  return listOf(exception).length > 0 || listOf(stacktrace).length > 0 ? 'error' : 'default'
}

function unknownOf(raw: RawObject, { security }: Expanded): RawObject {
  return {
    ...(security && { [security.type]: security.report }),
    ...(typeof raw.platform === 'string' && !isKnownPlatform(raw.platform) && { platform: raw.platform }),
  }
}

function bareEvent(context: NormalizeContext, error: { type: string; value: string }): NormalizedEvent {
  const received = context.receivedMs / 1000
  return {
    event_id: context.eventId,
    type: 'default',
    platform: 'other',
    level: 'error',
    timestamp: received,
    received,
    errors: [error],
    derived: { title: '<unlabeled event>', culprit: '', metadata: { title: '<unlabeled event>' } },
  }
}
