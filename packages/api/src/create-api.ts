/**
 * `/api/0`: Sentry's public REST shape over our queries and commands, so that sentry-cli, Grafana and scripts work.
 * Everything is JSON with `nosniff`: what an event carries is data, never markup.
 */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { currentScope, type ErrorKind, SondeError, UnavailableError } from '@sonde/base'
import { InvalidInput } from '@sonde/commands'
import { SearchError } from '@sonde/queries'
import { Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type ApiContext, type ApiEnv, type ApiOptions, orgGrant } from './api-context.ts'
import { authenticate } from './authenticate.ts'
import { describedRoutes } from './described-routes.ts'
import { idempotency } from './idempotency.ts'
import { documentRoutes } from './openapi/document-routes.ts'
import { readerRoutes } from './openapi/reader-routes.ts'
import { rateLimit } from './rate-limit.ts'
import { auditLogRoutes } from './routes/audit-log-routes.ts'
import { channelHookRoutes } from './routes/channel-hook-routes.ts'
import { commentRoutes } from './routes/comment-routes.ts'
import { debugFileRoutes } from './routes/debug-file-routes.ts'
import { detectorRoutes } from './routes/detector-routes.ts'
import { attachmentRoutes, eventRoutes } from './routes/event-routes.ts'
import { exploreRoutes } from './routes/explore-routes.ts'
import { exportRoutes } from './routes/export-routes.ts'
import { filterRoutes } from './routes/filter-routes.ts'
import { invitationRoutes } from './routes/invitation-routes.ts'
import { issueListRoutes } from './routes/issue-list-routes.ts'
import { issueRoutes, sharedIssueRoutes } from './routes/issue-routes.ts'
import { issueRuleRoutes } from './routes/issue-rule-routes.ts'
import { liveRoutes } from './routes/live-routes.ts'
import { lookupRoutes } from './routes/lookup-routes.ts'
import { memberRoutes } from './routes/member-routes.ts'
import { metricRuleRoutes } from './routes/metric-rule-routes.ts'
import { monitorRoutes } from './routes/monitor-routes.ts'
import { noiseRoutes } from './routes/noise-routes.ts'
import { notificationActionRoutes } from './routes/notification-action-routes.ts'
import { oauthRoutes } from './routes/oauth-routes.ts'
import { orgTokenRoutes } from './routes/org-token-routes.ts'
import { accountRoutes, organizationRoutes } from './routes/organization-routes.ts'
import { codeownersRoutes, eventOwnerRoutes, ownershipRoutes } from './routes/ownership-routes.ts'
import { performanceRoutes } from './routes/performance-routes.ts'
import { personalDataRoutes } from './routes/personal-data-routes.ts'
import { projectKeyRoutes, projectRoutes } from './routes/project-routes.ts'
import { recentlyDeletedRoutes } from './routes/recently-deleted-routes.ts'
import { releaseFileRoutes } from './routes/release-file-routes.ts'
import { releasePartRoutes, releaseRoutes } from './routes/release-routes.ts'
import { releaseRuleRoutes } from './routes/release-rule-routes.ts'
import { releaseVerdictRoutes } from './routes/release-verdict-routes.ts'
import { replayRoutes } from './routes/replay-routes.ts'
import { replayUseRoutes } from './routes/replay-use-routes.ts'
import { retentionRoutes } from './routes/retention-routes.ts'
import { ruleSnoozeRoutes } from './routes/rule-snooze-routes.ts'
import { savedSearchRoutes } from './routes/saved-search-routes.ts'
import { sessionRoutes } from './routes/session-routes.ts'
import { ssoLimit, ssoRoutes } from './routes/sso-routes.ts'
import { statsRoutes } from './routes/stats-routes.ts'
import { statusUnsubscribeRoutes } from './routes/status-unsubscribe-routes.ts'
import { storedScrubRoutes } from './routes/stored-scrub-routes.ts'
import { tagRoutes } from './routes/tag-routes.ts'
import { tailRoutes } from './routes/tail-routes.ts'
import { teamRoutes } from './routes/team-routes.ts'
import { externalIssueRoutes, trackerWebhookRoutes } from './routes/tracker-routes.ts'
import { unsubscribeRoutes } from './routes/unsubscribe-routes.ts'
import {
  artifactStateRoutes,
  assembleRoutes,
  chunkUploadRoutes,
  reprocessingRoutes,
} from './routes/upload-routes.ts'
import { uptimeRoutes } from './routes/uptime-routes.ts'
import { userFeedbackByDsnRoutes, userFeedbackRoutes } from './routes/user-feedback-routes.ts'
import { scimRoutes } from './scim/scim-routes.ts'

/** Errors as the public API says them: `{detail}`, or `{field: ["…"]}` for input. Stacks stay in our log. */
const STATUS: Readonly<Record<ErrorKind, 400 | 403 | 404 | 409 | 410 | 500 | 503>> = {
  config: 500,
  unavailable: 503,
  invalid: 400,
  'not-found': 404,
  gone: 410,
  conflict: 409,
  forbidden: 403,
  internal: 500,
}

function answerError({ logger }: Pick<ApiOptions, 'logger'>) {
  return (error: Error, c: ApiContext): Response => {
    if (error instanceof HTTPException) return error.getResponse()
    if (error instanceof InvalidInput) return c.json(error.fields, 400)
    if (error instanceof SearchError) {
      const hint = error.hint === undefined ? '' : ` ${error.hint}`
      return c.json({ detail: `${error.message}.${hint}`, position: error.at }, 400)
    }
    const kind = error instanceof SondeError ? error.kind : 'internal'
    // One text for what is missing and what is hidden.
    if (kind === 'not-found') return c.json({ detail: 'The requested resource does not exist' }, 404)
    if (STATUS[kind] < 500) return c.json({ detail: error.message }, STATUS[kind])
    // Who asked is gone, often in the middle of a body: no failure of ours, and nobody reads the answer.
    if (c.req.raw.signal.aborted) return c.body(null, 400)
    const id = currentScope()?.requestId ?? randomBytes(6).toString('hex')
    logger.error({ err: error, id, path: c.req.path }, 'an API request failed')
    if (error instanceof UnavailableError) c.header('retry-after', String(error.retryAfterSec))
    const missing = error instanceof UnavailableError ? error.missing : undefined
    const why = missing === undefined ? '' : `: ${missing} does not answer`
    const detail = kind === 'unavailable' ? `Not available for now, try again${why}` : 'Internal error'
    return c.json({ detail, errorId: id }, STATUS[kind])
  }
}

/**
 * Says what is wrong in the status line too: the uploader of the newest bundler plugins prints that alone, and never the
 * body. https://www.rfc-editor.org/rfc/rfc9112#name-status-line
 */
const MAX_CHARS = 200

const reasonPhrase: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next()
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }
  const { status, headers } = c.res
  if (!outgoing || status < 400 || !headers.get('content-type')?.startsWith('application/json')) return
  const phrase = phraseOf(await c.res.clone().json())
  if (phrase !== '') outgoing.statusMessage = phrase
}

/** Of `{detail}`, or of the first field that is wrong. Visible ASCII: anything else could end the line. */
export function phraseOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const [[field, value] = ['', '']] = 'detail' in body ? [['detail', body.detail]] : Object.entries(body)
  const text: unknown = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '') return ''
  const sentence = field === 'detail' ? text : `${field}: ${text}`
  return sentence
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_CHARS)
}

/** What clients ask for and Sonde does not have yet: said in words that they print, not as an address that is wrong. */
const NOT_YET: readonly (readonly [path: string, what: string])[] = [
  // In pieces they are taken: debug-file-routes.ts.
  ['/projects/:org/:project/files/dsyms/*', 'Uploading debug files in one piece'],
  ['/projects/:org/:project/files/proguard-artifact-releases', 'Naming the release of a ProGuard mapping'],
  ['/projects/:org/:project/files/preprodartifacts/*', 'Uploading app builds'],
  ['/projects/:org/:project/reprocessing', 'Reprocessing by debug files of native code'],
  ['/organizations/:org/code-mappings/bulk', 'Mapping stack traces to repositories'],
]

/** 501, which no client tries again. */
function notYetRoutes(hono: Hono<ApiEnv>): void {
  for (const [path, what] of NOT_YET)
    hono.all(path, async (c) => {
      await orgGrant(c, 'org:read')
      return c.json({ detail: `${what} is not in Sonde yet.` }, 501)
    })
}

const API_PATH = '/api/0'

/** `fetch(request)` answers everything below `/api/0`, with or without a trailing slash, also what is not there. */
export function createApi(options: ApiOptions): Hono<ApiEnv> {
  const hono = new Hono<ApiEnv>({ strict: false }).basePath(API_PATH)
  hono.use('*', async (c, next) => {
    await next()
    c.header('x-content-type-options', 'nosniff')
    if (c.res.headers.get('cache-control')?.startsWith('public') !== true)
      c.header('cache-control', 'private, no-store')
    // A file's own is stricter.
    if (!c.res.headers.has('content-security-policy'))
      c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  })
  hono.use('*', reasonPhrase)
  hono.onError(answerError(options))
  hono.notFound((c) => c.json({ detail: 'The requested resource does not exist' }, 404))
  hono.use(`/sso/*`, ssoLimit(options))
  const api = describedRoutes(hono)
  documentRoutes(api, options)
  readerRoutes(hono)
  // Before the question who calls: what they carry is the proof.
  for (const register of BY_PROOF) register(api, options)
  scimRoutes(api, options, hono)
  oauthRoutes(api, options, hono)
  userFeedbackByDsnRoutes(hono, options)
  hono.use('*', authenticate(options))
  if (options.limits) hono.use('*', rateLimit(options.limits, options.queries.clock))
  hono.use('*', idempotency(options))
  for (const register of ROUTES) register(api, options)
  notYetRoutes(hono)
  return hono
}

const BY_PROOF = [
  unsubscribeRoutes,
  statusUnsubscribeRoutes,
  sharedIssueRoutes,
  channelHookRoutes,
  trackerWebhookRoutes,
  ssoRoutes,
]

const ROUTES = [
  accountRoutes,
  organizationRoutes,
  memberRoutes,
  teamRoutes,
  invitationRoutes,
  auditLogRoutes,
  orgTokenRoutes,
  projectRoutes,
  projectKeyRoutes,
  detectorRoutes,
  noiseRoutes,
  retentionRoutes,
  recentlyDeletedRoutes,
  personalDataRoutes,
  exportRoutes,
  issueListRoutes,
  savedSearchRoutes,
  statsRoutes,
  lookupRoutes,
  filterRoutes,
  uptimeRoutes,
  monitorRoutes,
  issueRoutes,
  commentRoutes,
  externalIssueRoutes,
  eventRoutes,
  attachmentRoutes,
  replayRoutes,
  replayUseRoutes,
  artifactStateRoutes,
  chunkUploadRoutes,
  assembleRoutes,
  debugFileRoutes,
  liveRoutes,
  tailRoutes,
  performanceRoutes,
  exploreRoutes,
  sessionRoutes,
  userFeedbackRoutes,
  tagRoutes,
  releaseRoutes,
  releasePartRoutes,
  releaseVerdictRoutes,
  releaseFileRoutes,
  reprocessingRoutes,
  storedScrubRoutes,
  issueRuleRoutes,
  metricRuleRoutes,
  releaseRuleRoutes,
  ruleSnoozeRoutes,
  notificationActionRoutes,
  ownershipRoutes,
  codeownersRoutes,
  eventOwnerRoutes,
]
