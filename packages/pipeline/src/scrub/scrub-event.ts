/**
 * Removes secrets from a normalised event before it is stored, grouped or shown. Scrubbing twice is the same as once.
 * Where something was removed, `_meta` says by which rule. Default rules in the spirit of
 * https://docs.sentry.io/security-legal-pii/scrubbing/server-side-scrubbing/.
 */
import type {
  FieldRemark,
  Json,
  JsonObject,
  NormalizedEvent,
  RequestInfo,
  UserInfo,
} from '@sonde/protocol/event'
import { createRemarks, rootScope, type Scope, within } from '../normalize/meta-remarks.ts'
import type { Mutable } from '../normalize/read-fields.ts'
import { metadataOf, titleOf } from '../normalize/title.ts'
import { scrubJson, scrubPairs, scrubString } from './scrub-json.ts'
import {
  scrubBreadcrumbs,
  scrubContexts,
  scrubErrors,
  scrubException,
  scrubThread,
  scrubUser,
} from './scrub-parts.ts'
import { scrubText } from './scrub-text.ts'
import { FILTERED, type KeyRules, type Rules, rulesOf, type ScrubSettings } from './settings.ts'

type Meta = Readonly<Record<string, FieldRemark>>
export function scrubEvent(event: NormalizedEvent, settings: ScrubSettings): NormalizedEvent {
  const withoutIp = settings.scrubIp ? scrubIpAddresses(event) : event
  return settings.enabled ? scrub(withoutIp, rulesOf(settings)) : withoutIp
}

function scrub(event: NormalizedEvent, rules: Rules): NormalizedEvent {
  const remarks = createRemarks()
  const scope = rootScope(remarks)
  const { keys } = rules
  const { _meta: remarksBefore } = event
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.request) out.request = scrubRequest(within(scope, 'request'), event.request, keys, rules.cookies)
  if (event.tags) out.tags = scrubPairs(within(scope, 'tags'), event.tags, keys)
  if (event.user) out.user = scrubUser(within(scope, 'user'), event.user, keys)
  if (event.logentry) out.logentry = scrubLogentry(within(scope, 'logentry'), event.logentry, keys)
  if (event.transaction !== undefined)
    out.transaction = scrubString(within(scope, 'transaction'), event.transaction, keys)
  if (event.contexts) out.contexts = scrubContexts(within(scope, 'contexts'), event.contexts, keys)
  if (event.exception) {
    const list = within(scope, 'exception')
    out.exception = event.exception.map((entry, index) => scrubException(within(list, index), entry, keys))
  }
  if (event.threads) {
    const list = within(scope, 'threads')
    out.threads = event.threads.map((entry, index) => scrubThread(within(list, index), entry, keys))
  }
  if (event.breadcrumbs)
    out.breadcrumbs = scrubBreadcrumbs(within(scope, 'breadcrumbs'), event.breadcrumbs, keys)
  if (event.extra) out.extra = scrubJson(within(scope, 'extra'), event.extra, keys) as JsonObject
  if (event.unknown) out.unknown = scrubJson(within(scope, 'unknown'), event.unknown, keys) as JsonObject
  if (event.errors) out.errors = scrubErrors(within(scope, 'errors'), event.errors, keys)
  if (!remarks.meta) return out
  return {
    ...out,
    _meta: mergeRemarks(remarksBefore, remarks.meta),
    derived: {
      ...event.derived,
      title: titleOf(out),
      culprit: scrubText(event.derived.culprit, keys)?.text ?? event.derived.culprit,
      metadata: metadataOf(out),
    },
  }
}

function mergeRemarks(before: Meta = {}, added: Meta): Meta {
  const merged: Record<string, FieldRemark> = { ...before }
  for (const [path, entry] of Object.entries(added)) {
    const known = Object.hasOwn(merged, path) ? merged[path] : undefined
    merged[path] = known ? { ...entry, ...known, remarks: [...known.remarks, ...entry.remarks] } : entry
  }
  return merged
}

const IP_HEADERS = new Set([
  'X-Forwarded-For',
  'X-Real-Ip',
  'X-Client-Ip',
  'X-Cluster-Client-Ip',
  'Forwarded',
  'Forwarded-For',
  'Client-Ip',
  'Cf-Connecting-Ip',
  'True-Client-Ip',
  'Fastly-Client-Ip',
])

/** Takes the user's address out of every place that is known to hold it. */
function scrubIpAddresses(event: NormalizedEvent): NormalizedEvent {
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.user) {
    const user: Mutable<UserInfo> = { ...event.user }
    delete user.ip_address
    out.user = user
    if (Object.keys(user).length === 0) delete out.user
  }
  if (event.request) out.request = requestWithout(event.request)
  return out
}

function requestWithout(request: RequestInfo): RequestInfo {
  const out: Mutable<RequestInfo> = { ...request }
  if (request.env && 'REMOTE_ADDR' in request.env) {
    const { REMOTE_ADDR: _, ...env } = request.env
    out.env = env
  }
  if (request.headers) out.headers = request.headers.filter(([name]) => !IP_HEADERS.has(name))
  return out
}

type Logentry = NonNullable<NormalizedEvent['logentry']>

// Shorter values occur in a message by chance: replacing every `1` would destroy it.
const MIN_SECRET = 4

/** A param that was removed by its name is removed from the formatted message too, where it is plain text. */
function scrubLogentry(scope: Scope, entry: Logentry, rules: KeyRules): Logentry {
  const params =
    entry.params === undefined ? undefined : scrubJson(within(scope, 'params'), entry.params, rules)
  let formatted = entry.formatted
  if (formatted !== undefined && params !== entry.params && isRecord(entry.params) && isRecord(params))
    for (const key of Object.keys(entry.params)) {
      const secret = entry.params[key]
      if (params[key] === FILTERED && typeof secret === 'string' && secret.length >= MIN_SECRET)
        formatted = formatted.replaceAll(secret, FILTERED)
    }
  return {
    ...entry,
    ...(entry.message !== undefined && {
      message: scrubString(within(scope, 'message'), entry.message, rules),
    }),
    ...(formatted !== undefined && { formatted: scrubString(within(scope, 'formatted'), formatted, rules) }),
    ...(params !== undefined && { params }),
  }
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Cookies go altogether: their names tell enough, and any of them may be the one that signs in. */
function scrubRequest(
  scope: Scope,
  request: RequestInfo,
  rules: KeyRules,
  cookieRules: KeyRules,
): RequestInfo {
  const out: Mutable<RequestInfo> = { ...request }
  if (request.url !== undefined) out.url = scrubString(within(scope, 'url'), request.url, rules)
  if (request.fragment !== undefined)
    out.fragment = scrubString(within(scope, 'fragment'), request.fragment, rules)
  if (request.query_string)
    out.query_string = scrubPairs(within(scope, 'query_string'), request.query_string, rules)
  if (request.cookies) out.cookies = scrubPairs(within(scope, 'cookies'), request.cookies, cookieRules)
  if (request.headers) out.headers = scrubPairs(within(scope, 'headers'), request.headers, rules)
  if (request.env) out.env = scrubJson(within(scope, 'env'), request.env, rules) as JsonObject
  if (request.data !== undefined) out.data = scrubJson(within(scope, 'data'), request.data, rules)
  return out
}
