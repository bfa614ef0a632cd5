export { type AppContext, type AppContextDeps, createAppContext } from './app-context.ts'
export { documentOf } from './document.ts'
export type { OperatorParts } from './operator-parts.ts'
