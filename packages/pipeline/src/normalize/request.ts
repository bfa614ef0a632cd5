/** https://develop.sentry.dev/sdk/data-model/event-payloads/request/ */
import type { Json, Pair, RequestInfo } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject, trimJson } from './bounded-json.ts'
import { invalid, remark, type Scope, within } from './meta-remarks.ts'
import {
  cleanText,
  isObject,
  lenientText,
  limitText,
  type Mutable,
  type RawObject,
  rawPairs,
  textField,
  textPairs,
} from './read-fields.ts'

/** What a request body sent as text is: parsed, its fields can be read on the screen and scrubbed by name. */
// Larger ones are shown only in part anyway.
const MAX_PARSED = 65_536

type Body = { readonly body: unknown; readonly contentType?: string }

function inferBody(text: string, contentType: string | undefined): Body {
  if (text.length > MAX_PARSED) return { body: text }
  const first = text.trimStart()[0]
  if (first === '{' || first === '[') {
    try {
      return { body: JSON.parse(text) as unknown, contentType: 'application/json' }
    } catch {
      return { body: text }
    }
  }
  const isForm = contentType === undefined || contentType === 'application/x-www-form-urlencoded'
  if (isForm && looksUrlEncoded(text))
    return { body: formOf(text), contentType: 'application/x-www-form-urlencoded' }
  return { body: text }
}

/** Strict, because prose with one `=` in it must stay prose. */
function looksUrlEncoded(text: string): boolean {
  if (!text.includes('=')) return false
  return text.split('&').every((part) => /^[\w.~%+*[\]-]+=[^\s"'<>{}]*$/.test(part))
}

/** Repeated names become lists. */
function formOf(text: string): Record<string, unknown> {
  const form: Record<string, string | string[]> = {}
  for (const [rawName, rawValue] of rawPairs(parseQuery(text))) {
    const name = lenientText(rawName) ?? ''
    const value = lenientText(rawValue) ?? ''
    if (name === '__proto__') continue
    const before = Object.hasOwn(form, name) ? form[name] : undefined
    if (before === undefined) form[name] = value
    else form[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return form
}

const PAIR_BYTES = 8192
const QUERY_BYTES = 1024

export function readRequest(scope: Scope, raw: unknown): Mutable<RequestInfo> | undefined {
  if (!isObject(raw)) {
    if (raw !== undefined && raw !== null) invalid(scope, 'request', raw)
    return undefined
  }
  const requestScope = within(scope, 'request')
  const request: Mutable<RequestInfo> = {}
  const url = readUrl(requestScope, raw)
  if (url.base !== undefined) request.url = url.base
  const method = textField(requestScope, raw, 'method', 16)
  if (method !== undefined) request.method = method.toUpperCase()
  const query = readPairs(
    requestScope,
    'query_string',
    raw.query_string ?? raw.query ?? url.query,
    QUERY_BYTES,
    parseQuery,
  )
  if (query !== undefined) request.query_string = query
  const fragment = textField(requestScope, raw, 'fragment', 1024) ?? url.fragment
  if (fragment !== undefined) request.fragment = fragment
  readHeaderFields(requestScope, raw, request)
  const env = boundedObject(requestScope, 'env', raw.env, JSON_LIMITS.large)
  if (env !== undefined) request.env = env
  const apiTarget = textField(requestScope, raw, 'api_target', 80)
  if (apiTarget !== undefined) request.api_target = apiTarget
  readBody(requestScope, raw, request)
  for (const _ in request) return request
  return undefined
}

function readUrl(scope: Scope, raw: RawObject): { base?: string; query?: string; fragment?: string } {
  if (raw.url === undefined || raw.url === null) return {}
  const text = lenientText(raw.url)
  if (text === undefined) {
    invalid(scope, 'url', raw.url)
    return {}
  }
  const [beforeHash, fragment] = splitOnce(text, '#')
  const [base, query] = splitOnce(beforeHash, '?')
  const parts: { base?: string; query?: string; fragment?: string } = {}
  if (base !== '') parts.base = limitText(scope, 'url', base, 256, 40)
  if (query) parts.query = query
  if (fragment) parts.fragment = limitText(scope, 'fragment', fragment, 1024)
  return parts
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function readHeaderFields(scope: Scope, raw: RawObject, request: Mutable<RequestInfo>): void {
  const headers = readHeaders(raw.headers, PAIR_BYTES)
  if (headers.trimmed) remark(scope, 'headers', 'trimmed', '!limit')
  const cookieHeader = headerOf(headers.pairs, 'Cookie')
  const cookies = readPairs(scope, 'cookies', raw.cookies ?? cookieHeader, PAIR_BYTES, parseCookies)
  if (cookies !== undefined) request.cookies = cookies
  const rest = cookies === undefined ? headers.pairs : headers.pairs.filter(([name]) => name !== 'Cookie')
  if (rest.length > 0) request.headers = rest
}

function readPairs(
  scope: Scope,
  key: string,
  raw: unknown,
  maxBytes: number,
  parse: (text: string) => Pair[],
): Pair[] | undefined {
  if (raw === undefined || raw === null || raw === '') return undefined
  // Parsing reads no more than what can be kept; escapes at most triple the length.
  const source = typeof raw === 'string' ? parse(raw.slice(0, maxBytes * 3)) : raw
  const { pairs, trimmed } = textPairs(source, maxBytes)
  if (trimmed) remark(scope, key, 'trimmed', '!limit', typeof raw === 'string' ? raw.length : undefined)
  return pairs.length > 0 ? pairs : undefined
}

function readBody(scope: Scope, raw: RawObject, request: Mutable<RequestInfo>): void {
  if (raw.data === undefined || raw.data === null || raw.data === '') return
  const given =
    textField(scope, raw, 'inferred_content_type', 128) ??
    headerOf(request.headers, canonicalHeader('content-type'))
  let body: unknown = raw.data
  let contentType = given?.split(';')[0]?.trim()
  if (typeof body === 'string') {
    const inferred = inferBody(cleanText(body), contentType)
    body = inferred.body
    contentType ??= inferred.contentType
  } else contentType ??= 'application/json'
  request.data = trimJson(scope, 'data', body, JSON_LIMITS.large) satisfies Json
  if (contentType) request.inferred_content_type = contentType
}

/** `content-type` → `Content-Type`. */
export function canonicalHeader(name: string): string {
  let out = ''
  let start = true
  for (const char of name.trim()) {
    out += start ? char.toUpperCase() : char.toLowerCase()
    start = char === '-' || char === '_'
  }
  return out
}

/** Header names in one spelling; values given as lists are joined. */
function readHeaders(raw: unknown, maxBytes: number): { pairs: Pair[]; trimmed: boolean } {
  const { pairs, trimmed } = textPairs(raw, maxBytes)
  return { pairs: pairs.map(([name, value]): Pair => [canonicalHeader(name), value]), trimmed }
}

export function headerOf(headers: readonly Pair[] | undefined, name: string): string | undefined {
  return headers?.find(([key]) => key === name)?.[1]
}

/** `a=1; b=2` → pairs. */
export function parseCookies(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim()
    if (name !== '') pairs.push([name, at < 0 ? '' : decode(part.slice(at + 1).trim())])
  }
  return pairs
}

/** `a=1&b=2` (with or without `?`) → pairs, percent-decoded where that is possible. */
export function parseQuery(text: string): Pair[] {
  const query = text.startsWith('?') ? text.slice(1) : text
  const pairs: Pair[] = []
  for (const part of query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))])
  }
  return pairs
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
