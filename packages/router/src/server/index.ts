export type { ActionArgs, LoadArgs, PageKind } from './build.ts'
export { type Assets, devAssets, type ManifestChunk } from './assets.ts'
export type { ServerBuild } from './build.ts'
export type { DocumentOptions } from './html-answer.ts'
export { createPageHandler, type PageHandler } from './page-handler.ts'
export type { ErrorReport, PageHandlerOptions } from './page-request.ts'
export {
  httpError,
  type Invalid,
  invalid,
  notFound,
  redirect,
  type RedirectStatus,
  redirectWhole,
} from './results.ts'
export type { CspDirectives } from './security.ts'
export { type PageServer, type PageServerOptions, serveBuilt, serveDev } from './serve.ts'
