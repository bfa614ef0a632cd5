export { type AppContext, type AppContextDeps, createAppContext } from './app-context.ts'
export { createDocument } from './document.ts'
export type { OperatorParts } from './operator-parts.ts'
export type { PageReport, SelfReportPart, SelfReportState } from './self-report.ts'
