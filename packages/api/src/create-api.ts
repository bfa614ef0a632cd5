/**
 * `/api/0`: Sentry's public REST shape over our queries and commands, so that sentry-cli, Grafana and scripts work.
 * Everything is JSON with `nosniff`: what an event carries is data, never markup.
 */
import { Hono } from 'hono'
import type { Api, ApiEnv, ApiOptions } from './api-context.ts'
import { answerError } from './answer-error.ts'
import { authenticate } from './authenticate.ts'
import { reasonPhrase } from './reason-phrase.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { artifactStateRoutes } from './routes/artifact-state-routes.ts'
import { assembleRoutes } from './routes/assemble-routes.ts'
import { attachmentRoutes } from './routes/attachment-routes.ts'
import { chunkUploadRoutes } from './routes/chunk-upload-routes.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { exploreRoutes } from './routes/explore-routes.ts'
import { issueListRoutes } from './routes/issue-list-routes.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { liveRoutes } from './routes/live-routes.ts'
import { memberRoutes } from './routes/member-routes.ts'
import { orgTokenRoutes } from './routes/org-token-routes.ts'
import { organizationRoutes } from './routes/organization-routes.ts'
import { notYetRoutes } from './routes/not-yet-routes.ts'
import { performanceRoutes } from './routes/performance-routes.ts'
import { projectKeyRoutes } from './routes/project-key-routes.ts'
import { projectRoutes } from './routes/project-routes.ts'
import { releaseFileRoutes } from './routes/release-file-routes.ts'
import { releasePartRoutes } from './routes/release-part-routes.ts'
import { releaseRoutes } from './routes/release-routes.ts'
import { repairRoutes } from './routes/repair-routes.ts'
import { tagRoutes } from './routes/tag-routes.ts'

const API_PATH = '/api/0'

/** `fetch(request)` answers everything below `/api/0`, with or without a trailing slash, also what is not there. */
export function createApi(options: ApiOptions): Api {
  const api: Api = new Hono<ApiEnv>({ strict: false }).basePath(API_PATH)
  api.use('*', async (c, next) => {
    await next()
    c.header('x-content-type-options', 'nosniff')
    c.header('cache-control', 'private, no-store')
    // A file's own is stricter.
    if (!c.res.headers.has('content-security-policy'))
      c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  })
  api.use('*', reasonPhrase)
  api.use('*', authenticate(options))
  api.onError(answerError(options))
  api.notFound((c) => c.json({ detail: 'The requested resource does not exist' }, 404))
  for (const register of [
    accountRoutes,
    organizationRoutes,
    memberRoutes,
    orgTokenRoutes,
    projectRoutes,
    projectKeyRoutes,
    issueListRoutes,
    issueRoutes,
    eventRoutes,
    attachmentRoutes,
    artifactStateRoutes,
    chunkUploadRoutes,
    assembleRoutes,
    liveRoutes,
    performanceRoutes,
    exploreRoutes,
    tagRoutes,
    releaseRoutes,
    releasePartRoutes,
    releaseFileRoutes,
    repairRoutes,
    notYetRoutes,
  ]) {
    register(api, options)
  }
  return api
}
