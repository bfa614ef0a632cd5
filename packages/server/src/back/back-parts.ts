/** What the modules of the back process give each other, by the module that gives it. */
import type { Access } from '@sonde/access'
import type { ChannelDeps, Pusher, RunningAlerts } from '@sonde/alerts'
import type { createApi, LiveFeed } from '@sonde/api'
import type { Bus, Clock, Metrics, ProcessLog, Tracer } from '@sonde/base'
import type { CommandDeps, DeadLetterActions, Uploads } from '@sonde/commands'
import type { RecordsWatch, RunningJob } from '@sonde/jobs'
import type { LogReaders } from '@sonde/log'
import type { Outgoing } from '@sonde/outgoing'
import type { DeadLetters, Pipeline } from '@sonde/pipeline'
import type { QueryDeps } from '@sonde/queries'
import type { PageServer } from '@sonde/router/server'
import type { OpenRecords, Records } from '@sonde/stores'
import type { BackupParts, SelfReportPart } from '@sonde/web/server'
import type { BackupRunner } from '../backup/backup-runner.ts'
import type { Config } from '../config/config.ts'
import type { Doctor } from '../doctor/start-doctor.ts'
import type { LogControl } from '../internal/log-control.ts'
import type { SlowStatements } from '../observe/statements.ts'
import type { ProgramFiles } from '../program-files.ts'
import type { GatedEngines } from './back-backups.ts'
import type { TlsWatch } from './back-handler.ts'
import type { Readiness } from './readiness.ts'
import type { VisibleEngines } from './visible-engines.ts'

export type BackTools = {
  readonly config: Config
  readonly files: ProgramFiles
  readonly clock: Clock
  readonly metrics: Metrics
  readonly bus: Bus
  readonly log: ProcessLog
  readonly tracer: Tracer
  readonly slow: SlowStatements
}

type BackEngines = {
  readonly opened: OpenRecords
  readonly records: Records
  readonly visible: VisibleEngines
  /** Where the records can say cheaply that they changed. */
  readonly watch?: RecordsWatch
} & GatedEngines

export type BackParts = {
  readonly folder: void
  readonly log: LogReaders
  readonly engines: BackEngines
  /** Undefined where an engine is on a server. */
  readonly backups: BackupRunner | undefined
  readonly backupPlan: BackupParts
  readonly outgoing: Outgoing
  readonly access: Access
  readonly channels: ChannelDeps
  readonly pusher: Pusher
  readonly deletions: { stop(): Promise<void> }
  readonly uploads: Uploads
  readonly commands: CommandDeps
  /** Lines for the terminal. */
  readonly firstStart: readonly string[]
  readonly selfReport: SelfReportPart
  readonly pipeline: Pipeline
  readonly reprocessing: RunningJob
  readonly erasures: RunningJob
  readonly exports: RunningJob
  readonly issueMoves: RunningJob
  readonly owners: RunningJob
  readonly alerts: RunningAlerts
  readonly queries: QueryDeps
  readonly dead: { readonly letters: DeadLetters; readonly actions: DeadLetterActions }
  readonly doctor: Doctor
  readonly live: LiveFeed
  readonly tls: TlsWatch
  readonly logControl: LogControl
  readonly readiness: Readiness
  readonly screens: PageServer
  readonly api: ReturnType<typeof createApi>
  readonly mcp: (request: Request) => Promise<Response>
  readonly sockets: void
}
