export type { AppContext } from './server/app-context.server.ts'
export { type EventRef, type IssueListSearch, paths } from './paths.ts'
