export { type AppContext, type AppContextDeps, createAppContext } from './app-context.ts'
export { DOCUMENT } from './document.ts'
