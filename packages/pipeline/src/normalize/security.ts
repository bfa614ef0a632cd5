/**
 * Security reports, which browsers send by themselves and in several spellings, → fields of an event.
 * CSP: https://www.w3.org/TR/CSP3/#reporting; Expect-CT, Expect-Staple and HPKP are of the past, but still arrive.
 */
import type { EventType } from '@sonde/protocol/event'
import { isBrowserReport, readBrowserReport } from './browser-reports.ts'
import type { NormalizeContext } from './contexts.ts'
import { cutText, isObject, lenientText, type RawObject } from './read-fields.ts'

/** What a content-security-policy report says, in the words that Sentry's users know. */
const DIRECTIVES = new Set(
  (
    'base-uri child-src connect-src default-src fenced-frame-src font-src form-action frame-ancestors frame-src ' +
    'img-src manifest-src media-src object-src plugin-types prefetch-src referrer script-src script-src-attr ' +
    'script-src-elem style-src style-src-elem style-src-attr upgrade-insecure-requests worker-src sandbox navigate-to ' +
    'report-uri report-to block-all-mixed-content require-sri-for require-trusted-types-for trusted-types'
  ).split(' '),
)

/** Directive → what it blocks: inline, and from elsewhere. */
const WORDS = new Map<string, readonly [string, string]>([
  ['child-src', ["inline 'child'", "'child' source"]],
  ['connect-src', ["inline 'connect'", "'connect' source"]],
  ['font-src', ["inline 'font'", "'font'"]],
  ['img-src', ["inline 'image'", "'image'"]],
  ['manifest-src', ["inline 'manifest'", "'manifest'"]],
  ['media-src', ["inline 'media'", "'media'"]],
  ['object-src', ["inline 'object'", "'object'"]],
  ['script-src', ["unsafe (eval() or inline) 'script'", "'script'"]],
  ['script-src-elem', ['inline script attribute', "'script'"]],
  ['script-src-attr', ["unsafe 'script' element", "'script'"]],
  ['style-src', ["inline 'style'", "'style'"]],
  ['style-src-elem', ["'style' or 'link' element", "'style'"]],
  ['style-src-attr', ['style attribute', "'style'"]],
])

function cspFields(report: RawObject) {
  const violated = text(report.violated_directive)
  const documentUri = text(report.document_uri)
  const blocked = text(report.blocked_uri) || 'self'
  const directive = effectiveDirective(text(report.effective_directive), violated)
  const host = hostOf(blocked)
  const referrer = text(report.referrer)
  return {
    message: messageOf(directive, blocked),
    culprit: culpritOf(violated || directive, documentUri),
    ...(documentUri === '' ? undefined : { url: documentUri }),
    ...(referrer === '' ? undefined : { referrer }),
    tags: [
      ['effective-directive', directive],
      ['blocked-uri', cutText(withoutStripeQuery(blocked), 200)],
      ...(host !== undefined && /^https?:/.test(blocked) ? [['blocked-host', host]] : []),
    ] as [string, unknown][],
  }
}

function effectiveDirective(effective: string, violated: string): string {
  for (const source of [effective, violated]) {
    const first = source.split(/\s/, 1)[0]!.toLowerCase()
    if (DIRECTIVES.has(first)) return first
  }
  return effective || violated || 'unknown'
}

function messageOf(directive: string, blocked: string): string {
  const words = WORDS.get(directive)
  if (isLocal(blocked)) return `Blocked ${words?.[0] ?? `inline '${directive}'`}`
  if (directive === 'script-src' && blocked === 'inline') return "Blocked unsafe inline 'script'"
  if (directive === 'script-src' && blocked === 'eval') return "Blocked unsafe eval() 'script'"
  const origin = originOf(blocked)
  if (directive === 'form-action') return `Blocked 'form' action to '${origin}'`
  return `Blocked ${words?.[1] ?? `'${directive}'`} from '${origin}'`
}

function culpritOf(violated: string, documentUri: string): string {
  const own = hostOf(documentUri)
  const [directive = '', ...values] = violated.split(/\s+/)
  const normalized = values.map((value) => (own !== undefined && hostOf(value) === own ? "'self'" : value))
  return [directive, ...normalized].join(' ').trim()
}

function isLocal(uri: string): boolean {
  return uri === '' || uri === 'self' || uri === "'self'"
}

/** http(s) → host[:port]; `data` → `data:`; other schemes keep theirs. */
function originOf(uri: string): string {
  if (!uri.includes(':')) return uri === 'http' || uri === 'https' ? `${uri}://` : `${uri}:`
  const host = hostOf(uri)
  if (host === undefined) return `${uri.slice(0, uri.indexOf(':'))}:`
  return /^https?:/.test(uri) ? host : `${uri.slice(0, uri.indexOf(':'))}://${host}`
}

function hostOf(uri: string): string | undefined {
  const at = uri.indexOf('://')
  if (at < 0) return undefined
  const host = uri.slice(at + 3).split(/[/?#]/, 1)[0]!
  return host === '' ? undefined : host.slice(host.lastIndexOf('@') + 1)
}

/** Those queries hold card data. */
function withoutStripeQuery(uri: string): string {
  return hostOf(uri) === 'api.stripe.com' ? uri.split(/[?#]/, 1)[0]! : uri
}

function text(value: unknown): string {
  return lenientText(value)?.trim() ?? ''
}

/** Raw fields: they go through the same reading as those of an SDK. */
export type SecurityFields = {
  readonly type: EventType
  readonly report: RawObject
  readonly message: string
  /** `csp` unless it says another. */
  readonly logger?: string
  readonly level?: string
  readonly ageMs?: number
  readonly culprit?: string
  readonly url?: string
  readonly referrer?: string
  readonly tags: readonly (readonly [string, unknown])[]
}

const WRAPPERS: Readonly<Record<string, EventType>> = {
  'csp-report': 'csp',
  csp: 'csp',
  'expect-ct-report': 'expectct',
  expectct: 'expectct',
  'expect-staple-report': 'expectstaple',
  expectstaple: 'expectstaple',
  hpkp: 'hpkp',
  'sentry.interfaces.Csp': 'csp',
}

/** One payload may hold many reports (Reporting API): each becomes an event of its own. */
export function splitSecurityReport(raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) return [raw]
  return raw.filter((entry) => isObject(entry) && (entry.type === 'csp-violation' || isBrowserReport(entry)))
}

/** Of an item that claims to be one. */
export function isSecurityReport(raw: unknown): boolean {
  return isObject(raw) && readSecurity(raw, true) !== undefined
}

/** Undefined when `raw` is no security report. `bare`: the item says that it is one, so HPKP needs no wrapper. */
function readSecurity(raw: RawObject, bare: boolean): SecurityFields | undefined {
  for (const [key, type] of Object.entries(WRAPPERS))
    if (isObject(raw[key])) return fieldsOf(type, snakeKeys(raw[key]))
  if (raw.type === 'csp-violation' && isObject(raw.body)) return fieldsOf('csp', snakeKeys(raw.body))
  const other = bare ? readBrowserReport(raw) : undefined
  if (other) return other
  if (bare && ('known-pins' in raw || 'known_pins' in raw)) return fieldsOf('hpkp', snakeKeys(raw))
  return undefined
}

function fieldsOf(type: EventType, report: RawObject): SecurityFields {
  if (type === 'csp') return { type, report, ...cspFields(report) }
  const host = lenientText(report.hostname) ?? ''
  const common = { type, report, ...(host === '' ? undefined : { culprit: host, url: host }) }
  const tags: [string, unknown][] = [
    ['hostname', report.hostname],
    ['port', report.port],
  ]
  if (type === 'expectct') return { ...common, message: `Expect-CT failed for '${host}'`, tags }
  if (type === 'expectstaple') {
    tags.push(['response_status', report.response_status], ['cert_status', report.cert_status])
    return { ...common, message: `Expect-Staple failed for '${host}'`, tags }
  }
  // The protocol writes this boolean as JSON does, not as Python would.
  if (typeof report.include_subdomains === 'boolean')
    tags.push(['include-subdomains', report.include_subdomains ? 'true' : 'false'])
  return { ...common, message: `Public key pinning validation failed for '${host}'`, tags }
}

/** `blocked-uri`, `blockedURL`, `blocked_uri` → `blocked_uri`. */
function snakeKeys(raw: RawObject): RawObject {
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    const snake = key
      .replace(/URL$/, 'Uri')
      .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase()
    if (snake !== '__proto__' && value !== null) out[snake === 'sample' ? 'script_sample' : snake] = value
  }
  return out
}

/** A security report, written as the event that an SDK would have sent about it. */
export type Expanded = {
  readonly event: RawObject
  readonly security?: { readonly type: EventType; readonly report: RawObject }
}

/** `raw` itself unless it holds a report. Fields that the event has besides the report stay. */
export function expandSecurity(raw: unknown, context: NormalizeContext): Expanded {
  const bare = context.itemType === 'security'
  const source = bare ? splitSecurityReport(raw)[0] : raw
  if (!isObject(source)) return { event: {} }
  const found = readSecurity(source, bare)
  if (!found) return { event: source }
  const around = bare && !('event_id' in source) ? {} : source
  const headers: [string, string][] = []
  if (found.referrer !== undefined) headers.push(['Referer', found.referrer])
  if (context.userAgent !== undefined) headers.push(['User-Agent', context.userAgent])
  const request = {
    ...(found.url !== undefined && { url: found.url }),
    ...(headers.length > 0 && { headers }),
    ...(isObject(around.request) ? around.request : undefined),
  }
  const event = {
    ...around,
    logger: around.logger ?? found.logger ?? 'csp',
    ...(found.level !== undefined && { level: around.level ?? found.level }),
    ...(found.ageMs && { timestamp: around.timestamp ?? (context.receivedMs - found.ageMs) / 1000 }),
    logentry: around.logentry ?? around.message ?? { formatted: found.message },
    culprit: around.culprit ?? found.culprit,
    request,
    tags: withTags(around.tags, found.tags),
    release: around.release ?? context.release,
    environment: around.environment ?? context.environment,
  }
  return { event, security: { type: found.type, report: found.report } }
}

function withTags(given: unknown, derived: readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(given)) return [...(given as unknown[]), ...derived]
  return isObject(given) ? [...Object.entries(given), ...derived] : derived
}
