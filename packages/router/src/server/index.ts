export type { ActionArgs, LoadArgs, PageKind } from './args.ts'
export { type Assets, assetsFromManifest, devAssets, type ManifestChunk } from './assets.ts'
export type { ServerBuild } from './build.ts'
export type { DocumentOptions } from './document.ts'
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
export type { CspDirectives } from './security-headers.ts'
export { type PageServer, type PageServerOptions, serveBuilt, serveDev } from './serve.ts'
