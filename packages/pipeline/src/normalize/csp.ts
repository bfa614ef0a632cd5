/** What a content-security-policy report says, in the words that Sentry's users know. */
import { cutText, lenientText, type RawObject } from './read.ts'

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

export function cspFields(report: RawObject) {
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
