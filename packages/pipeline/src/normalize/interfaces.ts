/** The parts of an event that are objects of their own, each read by its file, in the order in which they depend. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { addAgentContexts } from './agent-contexts.ts'
import { readBreadcrumbs } from './breadcrumbs.ts'
import { resolveClientIp, type IpFields } from './client-ip.ts'
import { readContexts } from './contexts.ts'
import { readExceptions } from './exceptions.ts'
import { headerOf } from './headers.ts'
import { readLogentry } from './logentry.ts'
import { firstOf, isObject, type Mutable, type RawObject } from './read.ts'
import { readRequest } from './request.ts'
import { readDebugMeta } from './rest.ts'
import type { Scope } from './scope.ts'
import { readSdk } from './sdk.ts'
import { createStackState, decideInApp } from './stack-state.ts'
import { readThreads, threadOfLegacyStacktrace } from './threads.ts'
import { hexId } from './trace-context.ts'
import { readUser } from './user.ts'

type Draft = Mutable<Omit<NormalizedEvent, 'derived'>>

export type InterfaceContext = {
  readonly clientIp?: string | undefined
  readonly userAgent?: string | undefined
  readonly sdkClient?: string | undefined
  readonly trace?: { readonly [key: string]: unknown } | undefined
  readonly shiftSec: number
  /** A report that the browser sent by itself: its request is the visitor's own. */
  readonly isReport: boolean
}

export function addInterfaces(event: Draft, scope: Scope, raw: RawObject, context: InterfaceContext): void {
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
