export { buildPages, type BuildPagesOptions } from './build-pages.ts'
export { sondeRouter, type SondeRouterOptions } from './plugin.ts'
export { scanRoutes } from './scan-routes.ts'
