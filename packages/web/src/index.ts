export type { AppContext } from './server/app-context.ts'
export { type EventRef, type IssueListSearch, paths } from './paths.ts'
