/** Security reports: a CSP violation by directive and blocked host, the others by host name. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { Part } from './exception.ts'

type Fields = Readonly<Record<string, unknown>>

export function securityParts(event: Pick<NormalizedEvent, 'type' | 'unknown'>): Part[] {
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
