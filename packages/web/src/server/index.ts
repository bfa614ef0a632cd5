export { type AppContext, type AppContextDeps, createAppContext } from './app-context.server.ts'
export { createDocument } from './document.server.ts'
export type { OperatorBackup, OperatorBackups } from './operator-backups.ts'
export type { BackupParts, OperatorParts } from './operator-parts.server.ts'
export type {
  DiskUsage,
  OperatorLog,
  OperatorNode,
  OperatorProcess,
  OperatorQueue,
  OperatorStatus,
  OperatorStatusInput,
  OperatorTable,
  OperatorWork,
} from './operator-status.ts'
export type { PageReport, SelfReportPart, SelfReportState } from './self-report.server.ts'
