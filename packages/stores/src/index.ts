export type { Insertable, Selectable, Updateable } from 'kysely'
export type * from './blobs/blobs.ts'
export { openBlobs } from './blobs/folder-blobs.ts'
export { type BlobsPlace, sweepBlobs } from './blobs/sweep-blobs.ts'
export {
  type KeyInfo,
  type KeySnapshot,
  type KeySource,
  openKeySource,
  type SpanCaps,
} from './records/key-source.ts'
export {
  DEFAULT_GROUPING,
  GROUPING_VERSIONS,
  type GroupingRules,
  type GroupingVersion,
} from './records/grouping-rules.ts'
export { type AiPrice, MAX_AI_PRICE, MAX_AI_PRICES } from './records/ai-prices.ts'
export { FULL_PER_DAY_LIMITS, fullPerDayOf, type NoiseSettings } from './records/noise-settings.ts'
export { readAllowedDomains } from './records/project-settings.ts'
export { type ArtifactUsage, artifactUsage, markBundlesUsed } from './records/storage-usage.ts'
export { BundleError, isLongName, MAX_NAME_BYTES } from './artifacts/bundle-manifest.ts'
export {
  BUNDLE_LIMITS,
  type BundleLimits,
  CHUNK_LIMITS,
  MAX_BUNDLE_BYTES,
  MAX_CHUNKS,
} from './artifacts/bundle-manifest.ts'
export { type Manifest, type ManifestFile, readHeaders, readManifest } from './artifacts/bundle-manifest.ts'
export { type ChunkSource, chunkSource, type StoredChunk } from './artifacts/chunks.ts'
export { keepChunks, storeChunk } from './artifacts/chunks.ts'
export { type Bundle, type BundleEntry, openBundle } from './artifacts/open-bundle.ts'
export { packContent, readArtifact, type StoredContent } from './artifacts/artifact-content.ts'
export { type FoundDebugFile, findDebugFile } from './artifacts/find-debug-file.ts'
export { findByDebugId } from './artifacts/find-source.ts'
export {
  findByUrl,
  findRelease,
  type FoundRelease,
  type ReleaseOfProject,
} from './artifacts/find-by-release.ts'
export { findSource } from './artifacts/find-source.ts'
export type { FoundFile, FoundFiles } from './artifacts/found-files.ts'
export { forgetStored, keepStored } from './storage/keep-stored.ts'
export {
  isStorageKind,
  STORAGE_DAY_MS,
  STORAGE_KIND_NAMES,
  type StorageKind,
  storageDay,
  storageKindInfo,
} from './storage/kinds.ts'
export {
  RETENTION_LIMITS,
  type RetentionCut,
  retentionCut,
  type RetentionRule,
} from './storage/retention-cut.ts'
export { ageColumnOf, weeklyByAge } from './telemetry/tables/tables.ts'
export { type CellValue, lineOf, withCells } from './telemetry/stored-lines.ts'
export { measureStored, type StoredDay } from './storage/measure.ts'
export { type DiskWatchState, readStorageState, writeStorageState } from './records/storage-state.ts'
export { attachmentUsageBeside, attachmentUsages, type AttachmentUsage } from './records/storage-usage.ts'
export { blobsNowUnused, discardBlobs, discardRecordings } from './records/blob-garbage.ts'
export { claimBlobs, releaseBlobs, reserveBlobs } from './records/blob-garbage.ts'
export { contains, countIf, greatest, least, nowMs, readVersion, startsWith } from './records/expressions.ts'
export { type TextIndex, textIndexOf } from './records/text-index.ts'
export {
  heldNewcomers,
  type HeldNewcomers,
  type NewcomerLimits,
  type NewcomerRoom,
  openNewcomerRoom,
} from './records/newcomers.ts'
export { unknownSteps } from './records/migrations.ts'
export { visibleRecords, withHidden } from './records/visible-records.ts'
export { visibleTelemetry, withHiddenRows } from './telemetry/visible-telemetry.ts'
export {
  hideEvents,
  hideIssues,
  hideOrganization,
  hideProject,
  purgeIssues,
  RESTORABLE_MS,
} from './records/recently-deleted.ts'
export type { DeletedKind } from './records/recently-deleted-tables.ts'
export { openRecords } from './records/open-records.ts'
export type { OpenRecords, RecordsPlace } from './records/records-engine.ts'
export {
  DEFAULT_PROJECT_SETTINGS,
  type FilterRules,
  type ProjectSettings,
  projectSettingsFrom,
  readProjectSettings,
  type ScrubRules,
} from './records/project-settings.ts'
export { compareReleasesOf, readReleaseTimes } from './records/release-times.ts'
export {
  MAX_SAMPLING_RULES,
  MIN_SAMPLING_RATE,
  type SamplingRule,
  samplingRuleName,
  type SamplingRules,
  SERVER_RATE_ATTRIBUTE,
} from './records/sampling-rules.ts'
export type * from './records/alert-tables.ts'
export type { PushSubscriptionTable } from './records/push-tables.ts'
export {
  ACTIVITY_KINDS,
  ALERT_RULE_KINDS,
  CHANNEL_KINDS,
  MAIL_PACES,
  NOTIFICATION_CHOICES,
  NOTIFICATION_TRIGGERS,
} from './records/alert-tables.ts'
export type * from './records/comment-tables.ts'
export { ACTIVITY_CHOICES, REACTIONS } from './records/comment-tables.ts'
export type * from './records/model-tables.ts'
export type * from './records/tracker-tables.ts'
export { TRACKER_KINDS } from './records/tracker-tables.ts'
export { HAS_REQUEST, trackerActor } from './records/tracker-requests.ts'
export { mergedInto, withMerged } from './records/merged-issues.ts'
export {
  type IssueChange,
  moveActivity,
  noteIssueChange,
  noteIssueChanges,
  tellHeldChanges,
} from './records/issue-changes.ts'
export { assigneeColumns, assigneeOf, type AssigneeText, readAssignee } from './records/assignee.ts'
export {
  PRIORITIES,
  type Priority,
  PRIORITY_VALUES,
  priorityNamed,
  priorityOf,
} from './records/issue-priority.ts'
export { REVIEW_DAYS } from './records/triage-tables.ts'
export { subscribe } from './records/issue-subscriptions.ts'
export type * from './records/account-tables.ts'
export type * from './records/invitation-tables.ts'
export type * from './records/oauth-tables.ts'
export type * from './records/ownership-tables.ts'
export { AUTO_ASSIGNMENTS } from './records/ownership-tables.ts'
export {
  keepOwners,
  noteOwners,
  type OwnableIssue,
  ownerSearch,
  type OwnerSearch,
} from './ownership/auto-assign.ts'
export { requestOwners, requestOwnershipRun } from './ownership/ownership-runs.ts'
export { type EventFacts, factsOfEvent } from './ownership/event-facts.ts'
export { findOwners, type FoundOwner, resolveOwners } from './ownership/find-owners.ts'
export { createMatcher } from './ownership/match-rules.ts'
export { parseCodeowners } from './ownership/parse-codeowners.ts'
export {
  OWNERSHIP_LIMITS,
  type OwnershipRule,
  type ParsedRules,
  parseOwnershipRules,
  type RuleProblem,
} from './ownership/parse-rules.ts'
export {
  DEFAULT_OWNERSHIP,
  type Owner,
  type ProjectOwnership,
  readOwnerNames,
  readOwnership,
} from './ownership/project-ownership.ts'
export {
  commitUrl,
  findSuspectCommits,
  type SuspectCommit,
  type SuspectCommits,
} from './ownership/suspect-commits.ts'
export type * from './records/scim-tables.ts'
export type * from './records/cron-tables.ts'
export * from './records/status-tables.ts'
export type * from './records/uptime-tables.ts'
export type * from './records/sso-tables.ts'
export { SSO_KINDS } from './records/sso-tables.ts'
export type * from './records/team-tables.ts'
export { MEMBERS_SEE } from './records/team-tables.ts'
export {
  inProjects,
  peopleSee,
  type ProjectScope,
  seesProject,
  teamSeesProject,
  teamsSee,
} from './records/project-access.ts'
export type * from './records/triage-tables.ts'
export { DEBUG_FILE_TYPES } from './records/artifact-tables.ts'
export type * from './records/artifact-tables.ts'
export { AUDIT_ACTIONS, type AuditAction } from './records/audit-actions.ts'
export type * from './records/release-tables.ts'
export { RELEASE_STATUSES } from './records/release-tables.ts'
export { FIRST_PARTITION, type LogPositions } from './records/log-partition.ts'
export type * from './records/job-tables.ts'
export type * from './records/move-tables.ts'
export type * from './records/share-tables.ts'
export {
  type Counted,
  countedEvents,
  FIGURE_COLUMNS,
  type Figures,
  figuresOf,
  findHashGroups,
  type Fingerprint,
  fingerprintsOf,
  hashesOf,
  type HashGroup,
  openMoves,
  type OpenMove,
  readHashes,
  readLeads,
} from './moves/hash-groups.ts'
export { NODE_MISSING_AFTER_MS, runningNodes } from './records/node-registry.ts'
export type { NodeRow, NodeState } from './records/node-tables.ts'
export type { SpikeCategory } from './records/spike-tables.ts'
export { type Role, ROLES } from './records/roles.ts'
export * from './records/schema.ts'
export { endlessTokensSetting } from './records/switches.ts'
export type { SignInTables, TryWindowTable, UsedCodeTable, AccountTable } from './records/people-tables.ts'
export { SESSION_MAX_MS } from './records/people-tables.ts'
export { sqlConsoleSetting } from './records/switches.ts'
export { writeTransaction } from './records/write-transaction.ts'
export {
  addSpanUsage,
  type CapWindow,
  capWindow,
  refusedUntilMs,
  SPAN_CAP_PERIODS,
  type SpanCap,
  spanCapOf,
  type SpanCapPeriod,
  spanUsage,
  type SpanUsageDay,
  type StoredSpans,
  usedSpans,
} from './records/span-caps.ts'
export {
  CONSOLE_ENDED,
  CONSOLE_LIMITS,
  CONSOLE_TOOK_TOO_LONG,
  type ConsoleAnswer,
  type ConsoleDatabase,
  ConsoleError,
  type ConsoleStatements,
  type ConsoleView,
  type RunStatement,
  type TelemetryConsole,
} from './telemetry/console.ts'
export {
  type EngineConfig,
  type EngineName,
  type EngineOptions,
  type Engines,
  openEngines,
} from './open-engines.ts'
export type { DamagedPart } from './telemetry/embedded/damaged-parts.ts'
export { engineErrorCode, queryName, RefusedRows } from './telemetry/engine-error.ts'
export { openTelemetry, type TelemetryOptions, type TelemetryPlace } from './telemetry/open-telemetry.ts'
export {
  encodeEventRow,
  encodeCountedIdRow,
  encodeIndexRow,
  encodeNavigationRow,
  encodeOutcomeRow,
  encodeLogRow,
  encodeMetricRow,
  encodePrefetchRow,
  encodeTabRow,
  encodeProfileFunctionRow,
  encodeProfileRow,
  encodeReplayRow,
  encodeSessionRow,
  encodeCheckInRow,
  encodeSpanRow,
  encodeUptimeCheckRow,
  encodeVitalRow,
  payloadOfRow,
  ROW_COLUMNS,
  withIssueId,
  withLeftOut,
} from './telemetry/rows.ts'
export type { Column, FieldOf, ValueOf } from './telemetry/tables/column.ts'
export { fieldOf } from './telemetry/tables/column.ts'
export { EVENT_COUNT, EVENT_USERS, TAG_COLUMNS, USERS_OF_ROW } from './telemetry/tables/events.ts'
export { FILTER_COLUMNS, type FilterColumn } from './telemetry/tables/shared-columns.ts'
export * from './telemetry/tables/tables.ts'
export { HAS_FAILED, ROOT_NAME, SPAN_SUMS } from './telemetry/tables/spans.ts'
export { ROW_WEIGHT, VITAL_SUMS } from './telemetry/tables/vitals.ts'
export * from './telemetry/telemetry.ts'
export type { TelemetryNode, TelemetryServers } from './telemetry/server/describe-servers.ts'
export * from './person/person.ts'
export { PERSON_IN_TELEMETRY, PERSON_TABLES, type PersonRows, personRows } from './person/telemetry-kinds.ts'
export { eraseFromRecords, type NamingRow, purgeRecords, recordsNaming } from './person/record-texts.ts'
export type { EventDeletionState } from './records/event-deletion-tables.ts'
export { areEventsOnTheirWay, isErasing, isReplacing } from './records/row-replacing.ts'
export { type ErasureState, type ErasureTable } from './records/erasure-tables.ts'
export type { ExportState } from './records/export-tables.ts'
export { footerBytes, parquetRows } from './export/parquet-footer.ts'
export { rowsOfParquet } from './export/read-parquet.ts'
export { EXPORTED_RECORDS } from './export/exported-records.ts'
export {
  EXPORTED_TABLES,
  exportedColumns,
  type ExportedPart,
  type ExportScope,
  partsToExport,
  rowsToExport,
  TELEMETRY_LEFT_OUT,
} from './export/exported-telemetry.ts'
export { hiddenIssues } from './records/recently-deleted.ts'
export { exportedBlobs, exportedRows, recordShapes, type RecordScope } from './export/read-exported.ts'
export { RECORD_TEXTS, type RecordTexts, RECORDS_WITHOUT_PERSONS } from './person/record-kinds.ts'
