/**
 * Security reports, which browsers send by themselves and in several spellings, → fields of an event.
 * CSP: https://www.w3.org/TR/CSP3/#reporting; Expect-CT, Expect-Staple and HPKP are of the past, but still arrive.
 */
import type { EventType } from '@sonde/protocol/event'
import { cspFields } from './csp.ts'
import { isObject, lenientText, type RawObject } from './read.ts'

/** Raw fields: they go through the same reading as those of an SDK. */
export type SecurityFields = {
  readonly type: EventType
  readonly report: RawObject
  readonly message: string
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
  return raw.filter((entry) => isObject(entry) && entry.type === 'csp-violation')
}

/** Of an item that claims to be one. */
export function isSecurityReport(raw: unknown): boolean {
  return isObject(raw) && readSecurity(raw, true) !== undefined
}

/** Undefined when `raw` is no security report. `bare`: the item says that it is one, so HPKP needs no wrapper. */
export function readSecurity(raw: RawObject, bare: boolean): SecurityFields | undefined {
  for (const [key, type] of Object.entries(WRAPPERS))
    if (isObject(raw[key])) return fieldsOf(type, snakeKeys(raw[key]))
  if (raw.type === 'csp-violation' && isObject(raw.body)) return fieldsOf('csp', snakeKeys(raw.body))
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
