/** Which endpoint a URL means. SDKs and proxies differ in slashes, so missing and doubled ones are fine. */
import type { OtlpSignal } from '../endpoints/otlp/prescan.ts'

export type Endpoint = {
  readonly kind:
    | 'envelope'
    | 'store'
    | 'security'
    | 'attachments'
    | 'otlp'
    | 'tunnel'
    | 'cron'
    | 'minidump'
    | 'unreal'
    | 'unsupported'
    | 'user-feedback'
    | 'error-page'
  /** As written in the path; digits are checked later, to answer 400 and not 404. */
  readonly projectId?: string
  /** For `attachments`: as written in the path, checked later. */
  readonly eventId?: string
  /** For `otlp`: what is sent. */
  readonly signal?: OtlpSignal
  /** For `cron`: the monitor, as written in the path, and the key when the path has it. */
  readonly monitor?: { readonly slug: string; readonly publicKey?: string }
  /** For `unreal`: the key, when the path has it. */
  readonly publicKey?: string
  /** The URL's query without `?`; empty when there is none. */
  readonly query: string
  /** For `unsupported`: the part of the path that names what was asked for. */
  readonly what?: string
}

const PROJECT_ENDPOINT = /^\/+api\/+([^/]+)\/+([^/]+)((?:\/+[^/]+)*)\/*$/
const ATTACHMENTS = /^\/+([^/]+)\/+attachments$/
const MONITOR = /^\/+([^/]+)(?:\/+([^/]+))?$/
const UNREAL = /^(?:\/+([^/]+))?$/
const OTLP = /^(?:integration\/)?otlp\/v1\/(traces|logs|metrics)$/
const LEGACY_STORE = /^\/+api\/+store\/*$/
const TUNNEL = /^\/+monitoring\/*$/
const ERROR_PAGE = /^\/+api\/+embed\/+error-page\/*$/
const MAX_PATH_LENGTH = 1_024

const HANDLED: ReadonlyMap<string, Endpoint['kind']> = new Map([
  ['envelope', 'envelope'],
  ['store', 'store'],
  ['minidump', 'minidump'],
  ['security', 'security'],
  ['csp-report', 'security'],
  ['nel', 'security'],
  ['user-feedback', 'user-feedback'],
])

/** First segments after the project id that the protocol knows and Sonde does not take yet. */
const NOT_YET: ReadonlySet<string> = new Set([
  'minidump',
  'events',
  'upload',
  'otlp',
  'integration',
  'playstation',
])

/** Undefined: not an ingest path. `/api/0/…` is the REST API and never one. */
export function matchEndpoint(url: string): Endpoint | undefined {
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  if (path.length > MAX_PATH_LENGTH) return undefined
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
  if (TUNNEL.test(path)) return { kind: 'tunnel', query }
  if (LEGACY_STORE.test(path)) return { kind: 'store', query }
  if (ERROR_PAGE.test(path)) return { kind: 'error-page', query }
  const match = PROJECT_ENDPOINT.exec(path)
  if (!match) return undefined
  const [, projectId = '', what = '', rest = ''] = match
  if (projectId === '0' || projectId === 'embed') return undefined
  const kind = rest === '' ? HANDLED.get(what) : undefined
  if (kind !== undefined) return { kind, projectId, query }
  const eventId = what === 'events' ? ATTACHMENTS.exec(rest)?.[1] : undefined
  if (eventId !== undefined) return { kind: 'attachments', projectId, eventId, query }
  const unreal = what === 'unreal' ? UNREAL.exec(rest) : undefined
  if (unreal) {
    const [, publicKey] = unreal
    return { kind: 'unreal', projectId, query, ...(publicKey !== undefined && { publicKey }) }
  }
  const monitor = what === 'cron' || what === 'crons' ? MONITOR.exec(rest) : undefined
  if (monitor) {
    const [, slug = '', publicKey] = monitor
    return {
      kind: 'cron',
      projectId,
      query,
      monitor: { slug, ...(publicKey !== undefined && { publicKey }) },
    }
  }
  if (!NOT_YET.has(what)) return undefined
  const whole = `${what}${rest}`.replaceAll(/\/+/g, '/')
  const signal = OTLP.exec(whole)?.[1] as OtlpSignal | undefined
  if (signal !== undefined) return { kind: 'otlp', projectId, signal, query }
  return { kind: 'unsupported', projectId, query, what: whole }
}

export function allowedMethods(endpoint: Endpoint): string {
  if (endpoint.kind === 'unsupported') return 'GET, POST, PATCH'
  return endpoint.kind === 'error-page' || endpoint.kind === 'cron' ? 'GET, POST' : 'POST'
}
