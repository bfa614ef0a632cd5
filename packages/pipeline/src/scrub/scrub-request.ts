import type { JsonObject, RequestInfo } from '@sonde/protocol/event'
import type { Mutable } from '../normalize/read.ts'
import { within, type Scope } from '../normalize/scope.ts'
import { scrubJson, scrubPairs, scrubString } from './scrub-json.ts'
import type { KeyRules } from './sensitive-keys.ts'

/** Cookies go altogether: their names tell enough, and any of them may be the one that signs in. */
export function scrubRequest(
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
