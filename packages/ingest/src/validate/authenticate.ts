/** Who sends, and whether the key and the project it names belong together. */
import type { IncomingMessage } from 'node:http'
import { createBoundedMap } from '@sonde/base'
import {
  type AllowedDomain,
  type Auth,
  authFromDsn,
  type AuthResult,
  type Dsn,
  isAllowedPage,
  normalizeProjectId,
  pageOrigin,
  parseAllowedDomain,
  readAuth,
} from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import { refuse } from '../refusal.ts'

// A page or process sends the same query and header with every envelope; reading them anew is a tenth of a request.
const MAX_CACHED = 1_000
const MAX_CACHED_LENGTH = 300

export type ReadRequestAuth = (req: Pick<IncomingMessage, 'headers'>, query: string) => Auth | undefined

/** Undefined: the request names no key, so the envelope header has to. Throws 400 or 401. */
export function createReadRequestAuth(): ReadRequestAuth {
  const known = createBoundedMap<string, Auth>(MAX_CACHED)
  return (req, query) => {
    const { headers } = req
    const header = joined(headers['x-sentry-auth'])
    // Neither can contain a newline.
    const id = header === undefined ? query : `${query}\n${header}`
    const isCacheable = headers.authorization === undefined && id.length <= MAX_CACHED_LENGTH
    const cached = isCacheable ? known.get(id) : undefined
    if (cached) return cached
    const auth = readAnew(req, query)
    if (!auth || !isCacheable) return auth
    known.set(id, auth)
    return auth
  }
}

function readAnew({ headers }: Pick<IncomingMessage, 'headers'>, query: string): Auth | undefined {
  const result = readAuth({
    sentryAuthHeader: joined(headers['x-sentry-auth']),
    authorizationHeader: headers.authorization,
    query: query.includes('sentry_') ? new URLSearchParams(query) : undefined,
  })
  return !result.ok && result.problem === 'missing' ? undefined : accepted(result)
}

export function readDsnAuth(dsn: Dsn): Auth {
  return accepted(authFromDsn(dsn))
}

/** The key alone, from a path. */
export const readKeyAuth = (publicKey: string): Auth =>
  accepted(readAuth({ query: new URLSearchParams({ sentry_key: publicKey }) }))

export function missingAuth(): Error {
  return refuse(401, 'missing_auth', 'missing authorization information')
}

/** Digits as text: ids may have more digits than a number holds. Throws 400. */
export function readProjectId(text: string): string {
  const projectId = normalizeProjectId(text)
  if (projectId === undefined)
    throw refuse(400, 'bad_project_id', 'the project id in the path is not a number')
  return projectId
}

/** `projectId` undefined: the key alone picks the project (`/api/store/`). Throws 403. */
export function checkKey(key: KeyInfo, projectId: string | undefined): void {
  if (projectId !== undefined && !isProjectOf(key, projectId))
    throw refuse(403, 'wrong_project', `the key does not belong to project ${projectId}`)
  if (!key.isActive) throw refuse(403, 'key_disabled', 'the key is disabled')
}

/** A key that was imported is also of the project that its product called so: docs/decisions/0107-imported-keys.md */
const isProjectOf = ({ projectId, foreignProject }: KeyInfo, named: string): boolean =>
  String(projectId) === named || foreignProject === named

/** What an envelope says about itself must not contradict the request that carries it. Throws 400. */
export function checkEnvelopeDsn(dsn: Dsn, auth: Auth, key: KeyInfo): void {
  if (readDsnAuth(dsn).publicKey !== auth.publicKey)
    throw refuse(400, 'dsn_mismatch', 'the dsn of the envelope has another public key than the request')
  if (!isProjectOf(key, dsn.projectId))
    throw refuse(400, 'dsn_mismatch', 'the dsn of the envelope has another project than the request')
}

function accepted(result: AuthResult): Auth {
  if (result.ok) return result.auth
  throw refuse(result.status, result.problem === 'missing' ? 'missing_auth' : 'bad_auth', result.detail)
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/**
 * Refuses what pages of foreign domains send: copies of a site, and sites that copied a DSN with the code around it.
 * It filters noise, it does not authenticate: a request without `Origin` and `Referer` passes, as from every server and app.
 * Throws 403 before the body is read, counted as one filtered request.
 */
export function checkPage({ allowedDomains }: KeyInfo, { headers }: IncomingMessage): void {
  if (allowedDomains === undefined || allowedDomains.length === 0) return
  const page = pageOrigin(headers.origin, headers.referer)
  if (!page || isAllowedPage(page, parsed(allowedDomains))) return
  throw refuse(
    403,
    'allowed_domains',
    `pages of ${page.origin} may not send to this project; see its allowed domains in the settings`,
  )
}

// Per list: the directory gives the same one until the setting changes.
const parsedLists = new WeakMap<readonly string[], readonly AllowedDomain[]>()

function parsed(entries: readonly string[]): readonly AllowedDomain[] {
  const known = parsedLists.get(entries)
  if (known) return known
  const domains = entries.map((entry) => parseAllowedDomain(entry)).filter((domain) => domain !== undefined)
  parsedLists.set(entries, domains)
  return domains
}
