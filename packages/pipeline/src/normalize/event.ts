/**
 * An event as its SDK sent it → the one form that is stored, queried and shown. Never throws: what cannot be read is
 * absent and reported in `errors` and `_meta`. Rules: https://develop.sentry.dev/sdk/data-model/event-payloads/
 */
import type { EventType, NormalizedEvent } from '@sonde/protocol/event'
import { readBreadcrumbs } from './breadcrumbs.ts'
import { hexId, type NormalizeContext, readContexts } from './contexts.ts'
import { readExceptions } from './exceptions.ts'
import { readLevel } from './level.ts'
import { readLogentry } from './logentry.ts'
import { createRemarks, invalid, rootScope, type Scope } from './meta-remarks.ts'
import {
  cleanText,
  cutText,
  firstOf,
  isObject,
  lenientText,
  listOf,
  type Mutable,
  type RawObject,
  textField,
} from './read-fields.ts'
import { readReleaseFields } from './release.ts'
import { headerOf, readRequest } from './request.ts'
import { isKnownPlatform, readPlatform, readSdk } from './sdk.ts'
import { type Expanded, expandSecurity } from './security.ts'
import { createStackState, decideInApp, readThreads, threadOfLegacyStacktrace } from './stacktrace.ts'
import { readTags } from './tags.ts'
import { clockEvent } from './timestamp.ts'
import { culpritOf, metadataOf, titleOf } from './title.ts'
import { readDebugMeta, readExtra, readModules, readSdkErrors, readUnknown } from './unknown-fields.ts'
import { addAgentContexts } from './user-agent.ts'
import { type IpFields, readUser, resolveClientIp } from './user.ts'

const MAX_PARTS = 50
const MAX_PART = 1024

/** A list, or one value alone. Floats are dropped unless integral: their text is not stable. Empty means absent. */
function readFingerprint(scope: Scope, raw: unknown): string[] | undefined {
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
    ...(security && { [security.type === 'default' ? 'report' : security.type]: security.report }),
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

/** The parts of an event that are objects of their own, each read by its file, in the order in which they depend. */
type Draft = Mutable<Omit<NormalizedEvent, 'derived'>>

type InterfaceContext = {
  readonly clientIp?: string | undefined
  readonly userAgent?: string | undefined
  readonly sdkClient?: string | undefined
  readonly trace?: { readonly [key: string]: unknown } | undefined
  readonly shiftSec: number
  /** A report that the browser sent by itself: its request is the visitor's own. */
  readonly isReport: boolean
}

function addInterfaces(event: Draft, scope: Scope, raw: RawObject, context: InterfaceContext): void {
  const logentry = readLogentry(scope, raw)
  if (logentry) event.logentry = logentry
  addStacks(event, scope, raw)
  const crumbs = firstOf(raw, ['breadcrumbs', 'sentry.interfaces.Breadcrumbs'])
  const breadcrumbs = readBreadcrumbs(scope, crumbs, context.shiftSec)
  if (breadcrumbs) event.breadcrumbs = breadcrumbs
  const sdk = readSdk(scope, raw.sdk, context.sdkClient)
  if (sdk) event.sdk = sdk
  addPeople(event, scope, raw, context)
  addContexts(event, scope, raw, context)
  const debugMeta = readDebugMeta(scope, raw.debug_meta)
  if (debugMeta) event.debug_meta = debugMeta
}

function addStacks(event: Draft, scope: Scope, raw: RawObject): void {
  const state = createStackState(event.platform)
  const legacy = firstOf(raw, ['stacktrace', 'sentry.interfaces.Stacktrace'])
  const given = firstOf(raw, ['exception', 'sentry.interfaces.Exception'])
  const exception = readExceptions(scope, given, legacy, state)
  if (exception) event.exception = exception
  const adopted = exception?.length === 1 && exception[0]!.stacktrace !== undefined
  const threads =
    readThreads(scope, raw.threads, state) ??
    (adopted ? undefined : threadOfLegacyStacktrace(scope, legacy, state))
  if (threads) event.threads = threads
  decideInApp(state)
}

function addPeople(event: Draft, scope: Scope, raw: RawObject, context: InterfaceContext): void {
  const fields: IpFields = {
    user: readUser(scope, firstOf(raw, ['user', 'sentry.interfaces.User'])),
    request: readRequest(scope, firstOf(raw, ['request', 'sentry.interfaces.Http'])),
  }
  resolveClientIp(fields, {
    clientIp: context.clientIp,
    platform: event.platform,
    sdk: event.sdk,
    always: context.isReport,
  })
  if (fields.request && Object.keys(fields.request).length > 0) event.request = fields.request
  if (fields.user && Object.keys(fields.user).length > 0) event.user = fields.user
}

function addContexts(event: Draft, scope: Scope, raw: RawObject, context: InterfaceContext): void {
  const contexts = readContexts(scope, firstOf(raw, ['contexts', 'sentry.interfaces.Contexts']))
  const ownAgent = context.isReport ? context.userAgent : undefined
  addAgentContexts(contexts, headerOf(event.request?.headers, 'User-Agent') ?? ownAgent, event.platform)
  const traceId = isObject(context.trace) ? hexId(context.trace.trace_id, 32) : undefined
  if (traceId !== undefined && contexts.trace === undefined)
    contexts.trace = { trace_id: traceId, type: 'trace' }
  for (const _ in contexts) {
    event.contexts = contexts
    break
  }
}
