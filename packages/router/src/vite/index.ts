export { buildPages, type BuildPagesOptions } from './build-pages.ts'
export { type BrowserImports, sondeRouter, type SondeRouterOptions } from './plugin.ts'
export { SERVER_ENTRY } from '../shared/entry-names.ts'
export { sondeServerRoutes, type ServerRoutesOptions } from './build-pages.ts'
