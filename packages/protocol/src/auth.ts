/**
 * Who sends: the DSN's public key, from one of three places of a request. Rules and order:
 * https://develop.sentry.dev/sdk/overview/#authentication
 * The fourth, the `dsn` of the envelope header, counts only if this finds `missing`: see `authFromDsn`.
 */
import { type Dsn, normalizePublicKey } from './dsn.ts'

export type Auth = {
  /** 32 lower hex. */
  readonly publicKey: string
  /** Protocol version, at most 7. */
  readonly version: number
  /** `name/version` of the SDK, free text; not trusted, not bounded by SDKs: cut to 256 characters. */
  readonly client?: string
  /** Deprecated and not checked. */
  readonly secret?: string
}

export type AuthProblem = 'missing' | 'malformed' | 'multiple' | 'bad-key' | 'bad-version'
export type AuthResult =
  | { readonly ok: true; readonly auth: Auth }
  | {
      readonly ok: false
      readonly status: 400 | 401
      readonly problem: AuthProblem
      readonly detail: string
    }

export type AuthSources = {
  /** `X-Sentry-Auth`. */
  readonly sentryAuthHeader?: string | null | undefined
  readonly authorizationHeader?: string | null | undefined
  readonly query?: URLSearchParams | undefined
}

/** The version every current SDK speaks, and the highest upstream accepts. */
const PROTOCOL_VERSION = 7
const MAX_CLIENT_LENGTH = 256
const SENTRY_SCHEME = /^\s*sentry\s+/i

type Fields = ReadonlyMap<string, string>
type Source = { readonly fields: Fields } | { readonly malformed: string }

/** Never throws. Two places at once are refused, as upstream does, even if they agree. */
export function readAuth(sources: AuthSources): AuthResult {
  const found = [
    readSentryAuthHeader(sources.sentryAuthHeader),
    readAuthorizationHeader(sources.authorizationHeader),
    readQuery(sources.query),
  ].filter((source) => source !== undefined)
  const [first, second] = found
  if (!first) return refuse(401, 'missing', 'missing authorization information')
  if (second) return refuse(401, 'multiple', 'multiple authorization payloads')
  return 'malformed' in first ? refuse(401, 'malformed', first.malformed) : checkFields(first.fields)
}

/** For requests that carry no key but whose envelope header names a DSN, as a tunnel's do. */
export function authFromDsn(dsn: Dsn): AuthResult {
  return checkFields(new Map([['sentry_key', dsn.publicKey]]))
}

function checkFields(fields: Fields): AuthResult {
  const key = fields.get('sentry_key')
  if (!key) return refuse(401, 'malformed', 'authorization without sentry_key')
  const publicKey = normalizePublicKey(key)
  if (publicKey === undefined) return refuse(400, 'bad-key', 'sentry_key is not a key of 32 hex digits')
  const version = readVersion(fields.get('sentry_version'))
  if (version === undefined) {
    return refuse(400, 'bad-version', `sentry_version is not a version up to ${PROTOCOL_VERSION}`)
  }
  const client = fields.get('sentry_client')?.slice(0, MAX_CLIENT_LENGTH)
  const secret = fields.get('sentry_secret')
  return {
    ok: true,
    auth: { publicKey, version, ...(client ? { client } : {}), ...(secret ? { secret } : {}) },
  }
}

function readSentryAuthHeader(header: string | null | undefined): Source | undefined {
  if (!header?.trim()) return undefined
  return SENTRY_SCHEME.test(header)
    ? readPairs(header)
    : { malformed: 'X-Sentry-Auth does not start with "Sentry "' }
}

/**
 * Other schemes, and Basic with a name that is no key, belong to a proxy or site login in front of us
 * (browsers attach it to same-origin requests by themselves): they are not a source.
 */
function readAuthorizationHeader(header: string | null | undefined): Source | undefined {
  if (!header) return undefined
  if (SENTRY_SCHEME.test(header)) return readPairs(header)
  const encoded = /^\s*basic\s+([\w+/=-]+)\s*$/i.exec(header)?.[1]
  const key = encoded === undefined ? undefined : normalizePublicKey(basicName(encoded))
  return key === undefined ? undefined : { fields: new Map([['sentry_key', key]]) }
}

function basicName(encoded: string): string {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/')).split(':', 1)[0] ?? ''
  } catch {
    return ''
  }
}

/** Only `sentry_key` makes the query a source; `sentry_release` and the like may stand beside a header. */
function readQuery(query: URLSearchParams | undefined): Source | undefined {
  if (!query?.has('sentry_key')) return undefined
  return { fields: new Map([...query].toReversed()) } // the first of a repeated parameter wins
}

/** `Sentry a=1, b=2`: commas, with or without spaces; fields that nobody knows are kept out of the way. */
function readPairs(header: string): Source {
  const fields = new Map<string, string>()
  for (const pair of header.replace(SENTRY_SCHEME, '').split(',')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    // Node joins repeated X-Sentry-Auth headers with a comma, so the scheme can stand here again.
    const name = pair.slice(0, equals).replace(SENTRY_SCHEME, '').trim().toLowerCase()
    const value = pair
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    if (name === 'sentry_key' && fields.has(name)) return { malformed: 'multiple authorization payloads' }
    fields.set(name, value)
  }
  return { fields }
}

/** Missing means the current one. Old SDKs write `2.0`. */
function readVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return PROTOCOL_VERSION
  if (!/^\d{1,3}(?:\.\d{1,3})?$/.test(text)) return undefined
  const version = Math.trunc(Number(text))
  return version >= 1 && version <= PROTOCOL_VERSION ? version : undefined
}

function refuse(status: 400 | 401, problem: AuthProblem, detail: string): AuthResult {
  return { ok: false, status, problem, detail }
}
