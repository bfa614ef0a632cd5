/** What decides when neither SDK nor user said: the first of these that has something to say. */
import type { GroupingTrace, NormalizedEvent, Thread } from '@sonde/protocol/event'
import { parameterizeMessage } from './parameterize-message.ts'
import { stablePath } from './stable-path.ts'
import { chainValue, type Part, stacktraceValue } from './stacktrace.ts'

export type DefaultGrouping = { readonly basis: GroupingTrace['basis']; readonly parts: readonly Part[] }
export type GroupedEvent = Omit<NormalizedEvent, 'derived'>

export function defaultGrouping(event: GroupedEvent): DefaultGrouping {
  const security = securityParts(event)
  if (security.length > 0) return { basis: 'security', parts: security }
  const chain = chainValue(event.exception ?? [], event.platform)
  if (chain !== undefined) return chain
  const thread = threadParts(event)
  if (thread.length > 0) return { basis: 'stacktrace', parts: thread }
  const template = templateParts(event)
  if (template.length > 0) return { basis: 'stacktrace', parts: template }
  const message = messageParts(event)
  if (message.length > 0) return { basis: 'message', parts: message }
  return {
    basis: 'fallback',
    parts: [{ from: 'type', value: event.type, note: 'the event has nothing to tell it apart by' }],
  }
}

/** The one crashed thread, else the one current thread, else the only one. */
function threadParts(event: GroupedEvent): Part[] {
  const threads = event.threads ?? []
  const thread =
    onlyOne(threads.filter((each) => each.crashed)) ??
    onlyOne(threads.filter((each) => each.current)) ??
    onlyOne(threads)
  const stack = stacktraceValue(thread?.stacktrace, event.platform)
  const parts = stack.values.map((value, at): Part => {
    const note = at === 0 ? stack.note : undefined
    return { from: 'threads.stacktrace', value, ...(note === undefined ? {} : { note }) }
  })
  return stack.weak && parts.length > 0 ? [...messageParts(event), ...parts] : parts
}

function onlyOne(threads: readonly Thread[]): Thread | undefined {
  return threads.length === 1 ? threads[0] : undefined
}

/** Django's template interface. */
function templateParts(event: GroupedEvent): Part[] {
  const template = event.unknown?.['template']
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return []
  const { filename, abs_path: absPath, context_line: line } = template as Record<string, unknown>
  const path = typeof filename === 'string' ? filename : absPath
  const parts: Part[] = []
  if (typeof path === 'string' && path !== '')
    parts.push({ from: 'template.filename', value: stablePath(path) })
  if (typeof line === 'string' && line.trim() !== '') {
    parts.push({ from: 'template.context_line', value: line.replace(/\s+/g, ' ').trim().slice(0, 500) })
  }
  return parts
}

/** The template of a formatted message is the better name; its parameters are what changes. */
function messageParts(event: GroupedEvent): Part[] {
  const { message, formatted } = event.logentry ?? {}
  const raw = (message ?? '').trim() === '' ? formatted : message
  if (raw === undefined || raw.trim() === '') return []
  const value = parameterizeMessage(raw)
  const from = raw === formatted ? 'logentry.formatted' : 'logentry.message'
  return [{ from, value, ...(value === raw ? {} : { note: 'changing values replaced' }) }]
}

/** Security reports: a CSP violation by directive and blocked host, the others by host name. */
type Fields = Readonly<Record<string, unknown>>

function securityParts(event: Pick<NormalizedEvent, 'type' | 'unknown'>): Part[] {
  const { type, unknown = {} } = event
  if (type !== 'csp' && type !== 'hpkp' && type !== 'expectct' && type !== 'expectstaple') return []
  const report = unknown[type]
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return []
  const fields = report as Fields
  if (type === 'csp') return cspParts(fields)
  return [
    { from: 'type', value: type },
    { from: `${type}.hostname`, value: text(fields, 'hostname') },
  ]
}

function cspParts(fields: Fields): Part[] {
  const directive = firstWord(
    text(fields, 'effective_directive', 'effective-directive', 'effectiveDirective') ||
      text(fields, 'violated_directive', 'violated-directive', 'violatedDirective'),
  )
  const blocked = text(fields, 'blocked_uri', 'blocked-uri', 'blockedURL')
  return [
    { from: 'csp.effective_directive', value: directive },
    { from: 'csp.blocked_uri', value: blockedSource(blocked), note: 'only the host counts' },
  ]
}

/** `https://cdn.test/a.js` → `cdn.test`, `data:text/…` → `data:`, nothing or `self` → `self`. */
function blockedSource(uri: string): string {
  if (uri === '' || uri === 'self' || uri === "'self'") return 'self'
  const colon = uri.indexOf(':')
  if (colon < 0) return uri
  const scheme = uri.slice(0, colon).toLowerCase()
  const host = /^:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(uri.slice(colon))?.[1]?.toLowerCase() ?? ''
  if (scheme === 'http' || scheme === 'https') return host
  return host === '' ? `${scheme}:` : `${scheme}://${host}`
}

function text(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value.trim()
  }
  return ''
}

function firstWord(value: string): string {
  return value.split(/\s/, 1)[0] ?? ''
}
