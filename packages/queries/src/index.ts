export * from './contract.ts'
export * from './alerts/index.ts'
export * from './crons/index.ts'
export * from './status/index.ts'
export * from './uptime/index.ts'
export * from './hydration/index.ts'
export * from './overview/index.ts'
export * from './performance/index.ts'
export {
  type AccountOwner,
  type AccountSession,
  accountSessions,
  type ConnectedApp,
  connectedApps,
  type PersonalToken,
  personalTokens,
} from './account.ts'
export {
  type Cursor,
  formatCursor,
  offsetOf,
  offsetPage,
  type Page,
  pageLimit,
  parseCursor,
} from './cursor.ts'
export {
  type ArtifactState,
  artifactStates,
  type DebugIdState,
  MAX_REQUESTED_IDS,
} from './artifacts/release-files.ts'
export { type OpenReprocessing, openReprocessing, type ReprocessedEvent } from './artifacts/reprocessing.ts'
export {
  type UnreadableEvents,
  unreadableEvents,
  type UnreadableGroup,
} from './artifacts/unreadable-events.ts'
export { type ReleaseFile, releaseFiles, type ReleaseFilesInput } from './artifacts/release-files.ts'
export { type UploadFile, uploadFiles, type UploadFilesInput } from './artifacts/upload-files.ts'
export { FILES_SEARCHED_IN } from './artifacts/uploads.ts'
export { findUpload, type Upload, uploads, type UploadsInput } from './artifacts/uploads.ts'
export { actorNames } from './artifacts/reprocessing.ts'
export { type RecentReprocessing, recentReprocessing } from './artifacts/reprocessing.ts'
export { attachmentAnswer, type AttachmentUse, downloadName } from './events/event-attachments.ts'
export {
  type Attachment,
  eventAttachments,
  findAttachment,
  type OpenAttachment,
  openAttachment,
} from './events/event-attachments.ts'
export { fileGone } from './events/whole-file.ts'
export {
  EVENT_CHOICES,
  type EventChoice,
  type EventDetail,
  eventById,
  issueEvent,
} from './events/event-by-id.ts'
export { projectOfEvent } from './events/event-by-id.ts'
export { type EventNeighbours } from './events/narrowed-event.ts'
export type { EventRow } from './events/list-events.ts'
export { checkEventSearch, eventPlaces, eventsThatMatch, type NamedEvent } from './events/matching-events.ts'
export { deletedEvents } from './events/deleted-events.ts'
export { issueEvents, type ListEventsInput, projectEvents } from './events/list-events.ts'
export { type EventNarrowing, narrowedEventId, narrowedNeighbours } from './events/narrowed-event.ts'
export { listUserReports, type UserReport, userReports } from './feedback/user-reports.ts'
export type { BarPeriod, EventBars } from './issues/event-bars.ts'
export { findIssue, namesIssue } from './issues/issue-detail.ts'
export {
  type GroupingTrial,
  groupingTrial,
  type GroupStored,
  type StoredGrouping,
} from './grouping/grouping-trial.ts'
export { PAGE_EVENTS as TRIAL_PAGE } from './events/recent-payloads.ts'
export { type ScrubTrial, scrubTrial } from './scrub/scrub-trial.ts'
export { type GroupingReason, groupingReason } from './issues/issue-detail.ts'
export {
  type ActivityInput,
  type CommentReactions,
  countComments,
  type FixCommit,
  type IssueActivity,
  issueActivity,
  type IssueComment,
} from './issues/issue-activity.ts'
export { type MentionChoice, mentionable } from './issues/mentionable.ts'
export { issueSeenBy, participants, type SeenBy } from './issues/participants.ts'
export { type IssueDetail, issueDetail } from './issues/issue-detail.ts'
export { type ListIssuesInput } from './issues/issue-request.ts'
export type { ArchivedUntil, IssueMarks } from './issues/issue-marks.ts'
export type { Assignee, IssueRow, ProjectRef } from './issues/issue-row.ts'
export { type IssueTagValues, issueTagValues, type IssueTagValuesInput } from './issues/issue-tags.ts'
export { issueTags, type IssueTagsInput, type TagSummary, type TagValue } from './issues/issue-tags.ts'
export { type IssueListRow, type IssuePage, listIssues } from './issues/list-issues.ts'
export { type SavedSearch, savedSearches, savedSearchRows } from './issues/saved-searches.ts'
export { matchingIssueIds } from './issues/list-issues.ts'
export { listOrganizations, type OrganizationRow } from './projects.ts'
export { listProjects, type ProjectRow } from './projects.ts'
export { allowsEndlessTokens } from './people/tokens.ts'
export { type AssigneeChoice, assigneeChoices } from './people/assignees.ts'
export { type InvitationRow, listInvitations } from './people/invitations.ts'
export { listMembers, type MemberRow } from './people/people.ts'
export {
  auditLog,
  type AuditFilter,
  auditLogOfInstallation,
  type AuditPage,
  type AuditRow,
  walkAuditLog,
} from './people/audit-log.ts'
export { listAllTokens, listTokens, type TokenOfOrgRow } from './people/tokens.ts'
export { listPeople, type PersonRow } from './people/people.ts'
export {
  type ErasureRow,
  exportPerson,
  findPerson,
  type FoundKind,
  type FoundPerson,
  listErasures,
} from './people/person-data.ts'
export { listTeams, teamNames, type TeamProject, type TeamRow } from './people/teams.ts'
export { type KindRetention, type ProjectRetention, projectRetention } from './operation/retention.ts'
export type { DiskForecast } from './operation/disk-forecast.ts'
export {
  type InstallationStorage,
  installationStorage,
  type OrgStorage,
  organizationStorage,
  type ProjectStorage,
  type StorageDay,
  type StoredSum,
} from './operation/storage.ts'
export { installationOutcomes, type OutcomeCount } from './operation/outcome-series.ts'
export {
  installationOutcomeSeries,
  type OutcomeLine,
  type OutcomeSeries,
} from './operation/outcome-series.ts'
export type { ChunkFile } from './scripts/chunk-sources.ts'
export type { SourcePlace, Unreadable } from './scripts/script-position.ts'
export { dsnFor, projectDsns, type ProjectKeyRow, projectKeys } from './project-keys.ts'
export { type ProjectTrend, projectTrends } from './projects.ts'
export { type RecentIssue, recentIssues } from './issues/recent-issues.ts'
export { type ProjectOverview, projectOverviews } from './projects.ts'
export {
  type MapEdge,
  type MapNode,
  type MapNodeKind,
  type ServiceMap,
  serviceMap,
} from './services/service-map.ts'
export type { MapFigures } from './services/map-figures.ts'
export { type MobileRow, mobileVitals, type Timing } from './mobile/mobile-vitals.ts'
export { type AiUsageRow, aiUsage } from './ai/ai-usage.ts'
export {
  type AiConversation,
  aiConversations,
  type AiStep,
  type ConversationRef,
  conversationSteps,
} from './ai/conversations.ts'
export { projectNewcomers, type ProjectNewcomers } from './project-settings.ts'
export { type DoorRefusals, type ProjectRefusals, projectRefusals } from './project-settings.ts'
export {
  type KeyUsage,
  projectKeyUsage,
  projectSettings,
  type ProjectSettingsView,
  type RateLimit,
} from './project-settings.ts'
export type { QueryDeps } from './query-deps.ts'
export { projectRelease, type ReleaseDetail } from './releases/project-releases.ts'
export {
  type ProjectRelease,
  type ProjectReleases,
  projectReleases,
  type ProjectReleasesInput,
  type ReleaseOrder,
} from './releases/project-releases.ts'
export {
  MAX_COMMIT_FILES_SHOWN,
  type ReleaseBundle,
  releaseBundles,
  type ReleaseCommit,
  releaseCommits,
  releaseDeploys,
} from './releases/release-contents.ts'
export type { ReleaseDeploy, ReleaseFacts } from './releases/release-facts.ts'
export {
  RELEASE_ISSUE_KINDS,
  type ReleaseIssue,
  type ReleaseIssueKind,
  releaseIssues,
  type ReleaseIssuesInput,
} from './releases/release-differences.ts'
export {
  type DifferentIssue,
  type ErrorRate,
  type ReleaseDifferences,
  releaseDifferences,
  type ReleaseDifferencesInput,
} from './releases/release-differences.ts'
export { MAX_ORDERED, type OrderedRelease, orderedReleases } from './releases/release-order.ts'
export type { SuspectCommit, SuspectCommits } from '@sonde/stores'
export { suspectCommits, type SuspectInput } from './releases/suspect-commits.ts'
export { type CommitAuthor, type CommitRow, commitsOfRelease } from './releases/public/commits-of-release.ts'
export {
  type DeployRow,
  deploysOfRelease,
  type ReleaseProject,
  type ReleaseRow,
} from './releases/public/release-rows.ts'
export {
  listReleases,
  type ListReleasesInput,
  RELEASE_SORTS,
  type ReleaseSort,
} from './releases/public/list-releases.ts'
export {
  previousWithCommits,
  releaseByVersion,
  type ReleaseWithAuthors,
} from './releases/public/list-releases.ts'
export {
  type AdoptionBasis,
  type AdoptionCounts,
  type AdoptionFilter,
  MAX_ADOPTION_RELEASES,
  type ReleaseAdoption,
  releaseAdoption,
} from './releases/release-adoption.ts'
export { type AdoptionSeries, adoptionSeries, type AdoptionSeriesInput } from './releases/release-adoption.ts'
export {
  type NavigationFailures,
  type ReleaseNavigations,
  releaseErrorRate,
  releaseNavigations,
  type ReleasePair,
  releaseVitalChanges,
} from './releases/release-speed.ts'
export {
  type JudgedMeasure,
  type JudgedRelease,
  type ReleaseMeasure,
  type ReleaseVerdict,
} from './releases/judge-release.ts'
export {
  MAX_VERDICT_DAYS,
  releaseVerdict,
  type ReleaseVerdictInput,
  VERDICT_DAYS,
  verdictWindow,
} from './releases/release-verdict.ts'
export { parsePeriodMs, SearchError } from './search/search-term.ts'
export { parseSearch } from './search/parse-search.ts'
export { checkIssueSearch } from './search/search-problem.ts'
export {
  type EventSeries,
  type EventSeriesInput,
  eventSeries,
  type IssueTarget,
} from './series/event-series.ts'
export {
  type BucketWindow,
  bucketWindow,
  type Interval,
  INTERVALS,
  MAX_BUCKETS,
  type WindowInput,
} from './series/intervals.ts'
export { deployMarkers, type DeployWindow } from './series/markers.ts'
export { MAX_MARKERS, type ReleaseMarker, withDeploys } from './series/markers.ts'
export { type SimilarIssue, similarIssues } from './similar/similar-issues.ts'
export type { KeyKind, KnownKey } from './suggest/known-keys.ts'
export {
  keyText,
  type SearchSuggestion,
  searchSuggestions,
  type SearchSuggestions,
  type SuggestedKey,
  suggestKeys,
  type TagKey,
  tagKeys,
  valueText,
} from './suggest/search-suggestions.ts'
export { type SuggestedValue, suggestValues } from './suggest/suggest-values.ts'
export type { SuggestWithin } from './suggest/suggest-within.ts'
export { MAX_SQL_CHARS, runSql, type SqlInput } from './sql/run-sql.ts'
export { SQL_EXAMPLES, type SqlExample } from './sql/sql-examples.ts'
export { SqlRefused } from './sql/sql-refused.ts'
export { isSqlConsoleOn, SQL_TABLES, type SqlColumn, type SqlTable } from './sql/console-tables.ts'
export { ExploreError } from './explore/bounded-query.ts'
export { EXPLORE_DATASETS, type ExploreDataset } from './explore/explore-datasets.ts'
export { type ExploreSeries, exploreSeries, type ExploreSeriesInput } from './explore/explore-series.ts'
export {
  type ExploreColumn,
  type ExploreInput,
  exploreSpans,
  type ExploreTable,
  type ExploreValue,
} from './explore/explore-spans.ts'
export {
  type InsightFirst,
  insightFirst,
  type InsightIssue,
  type InsightSample,
  insightSamples,
  type MissCost,
  missCost,
  queryIssues,
} from './insights/insight-detail.ts'
export {
  type InsightFilter,
  type InsightPage,
  type InsightRow,
  insightRows,
  type InsightRowsInput,
  type InsightSplitRow,
  insightSplits,
} from './insights/insight-rows.ts'
export {
  type InsightChange,
  insightChanges,
  type InsightSeries,
  insightSeries,
  type InsightSparks,
  insightSparks,
} from './insights/insight-trends.ts'
export { LOG_SUGGESTIONS } from './logs/log-fields.ts'
export {
  listLogs,
  type LogLine,
  type LogPage,
  type LogSeries,
  logSeries,
  type LogsInput,
  type Severity,
} from './logs/list-logs.ts'
export { type LogPattern, logPatterns, type LogPatterns } from './logs/log-patterns.ts'
export { METRIC_SUGGESTIONS } from './metrics/metric-fields.ts'
export {
  listMetrics,
  type ListMetricsInput,
  type MetricList,
  type MetricRow,
} from './metrics/list-metrics.ts'
export {
  type MetricChart,
  metricChart,
  type MetricChartInput,
  type MetricFigures,
  metricFigures,
  type MetricLine,
} from './metrics/metric-chart.ts'
export { type MetricExemplar, metricExemplars } from './metrics/metric-exemplars.ts'
export { isMeasure, type ValueKind } from './explore/span-measures.ts'
export { type SpanKey, spanKeys, spanSuggestions } from './explore/span-suggestions.ts'
export { languageModel, type LanguageModel, modelName, type ModelName } from './model/language-model.ts'
export {
  listTrackers,
  trackerById,
  type TrackerDetail,
  type TrackerName,
  trackerNames,
  type TrackerRow,
} from './trackers/connections.ts'
export { type TrackerLink, trackerLinks } from './trackers/links.ts'
export {
  issueOwners,
  ownersOfEvent,
  type StoredOwner,
  type SuggestedOwner,
  type Decision,
  type TriedEvent,
  type TriedInput,
  type TriedRules,
  tryOwnershipRules,
} from './ownership/event-owners.ts'
export {
  codeownersFiles,
  codeownersNames,
  type CodeownersView,
  type NamedOwner,
  type OwnershipView,
  ownerTexts,
  projectOwnership,
} from './ownership/project-ownership.ts'
export { ssoAddressesOf, ssoDomains, ssoSettings, type SsoSettings } from './sso/sso-settings.ts'
export {
  allowsPublicLinks,
  issueShare,
  SHARED_TAGS,
  sharedIssue,
  type SharedException,
  type SharedFrame,
  type SharedIssue,
  type ShareState,
} from './issues/shared-issue.ts'
export {
  type DiscardedIssue,
  discardedIssues,
  type IssueFingerprint,
  type IssueParts,
  issueParts,
  type MergedIssue,
  type MovingEvents,
  movingEvents,
  projectsOfIssues,
} from './issues/issue-fingerprints.ts'
export { parseScimPath, type ScimFilter, type ScimPath } from './scim/scim-filter.ts'
export { type ScimGroup, scimGroup, scimGroups } from './scim/scim-groups.ts'
export { type ScimPage, scimPeople, type ScimPerson, scimPerson } from './scim/scim-people.ts'
export { type ScimSettings, scimSettings } from './scim/scim-settings.ts'
export {
  type Health,
  type HealthOfRelease,
  releaseHealth,
  releasesHealth,
} from './sessions/release-health.ts'
export { crashFree, type CrashFree, sessionGroups } from './sessions/session-groups.ts'
export { sessionStatistics } from './sessions/session-statistics.ts'
export {
  type ListedProfile,
  newestProfiles,
  profiledTransactions,
  type ProfiledTransaction,
  type SlowFunction,
  slowFunctions,
} from './profiles/list-profiles.ts'
export {
  type ComparedProfiles,
  compareProfiles,
  type ProfiledRelease,
  profiledReleases,
} from './profiles/compare-profiles.ts'
export { type FunctionTrend, functionTrends } from './profiles/function-trends.ts'
export {
  type NoiseClassFigures,
  type NoiseLedger,
  noiseLedger,
  type NotStored,
} from './noise/noise-ledger.ts'
export { type ReceivedData, receivedData } from './received-data.ts'
export * from './coverage/index.ts'
export { aggregateProfile, openProfile } from './profiles/open-profile.ts'
export { type DifferenceNode, type FunctionDifference, type Pair } from './profiles/profile-difference.ts'
export { type ProfileNode, type ProfileTree } from './profiles/profile-tree.ts'
export { countReplaysOfIssue, listReplays, type ReplayPage, replaySort } from './replays/list-replays.ts'
export {
  type OpenedReplay,
  openReplay,
  readRecordingPage,
  type ReplayError,
  type ReplayVideo,
  replayIdOf,
} from './replays/open-replay.ts'
export { type ReplayClick, replayClicks } from './replays/replay-clicks.ts'
export { keptReplays, replaysOfIssues } from './replays/replay-counts.ts'
export { type ReplayNavigation } from './replays/replay-navigations.ts'
export { type ReplaySelector, replaySelectors } from './replays/replay-selectors.ts'
export { type ReplayViewer, replayViewers, viewedReplays } from './replays/replay-views.ts'
export { openReplayVideo, replayVideoAnswer } from './replays/replay-video.ts'
export { REPLAY_SUGGESTIONS } from './replays/replay-fields.ts'
export { type Replay } from './replays/replay-sums.ts'
export { type ReplayMoment, replayMoment, replayOfEvent, replaysOfTrace } from './replays/replay-links.ts'
export { type EventImage, eventImages, type EventImages } from './artifacts/event-images.ts'
export { type DebugFileRow, debugFiles, type DebugFilesInput } from './artifacts/debug-files.ts'
export {
  type DeletedLine,
  type DeletedPage,
  deletedOrganizations,
  recentlyDeleted,
} from './recently-deleted.ts'
export {
  OUTCOME_GROUPS,
  type OutcomeStats,
  outcomeStats,
  type OutcomeStatsInput,
} from './outcomes/outcome-stats.ts'
export { seenEnvironments, type SeenUser, seenUsers } from './events/seen-values.ts'
export { type CommitFileRow, commitFilesOfRelease } from './releases/public/commit-files.ts'
export { type OwnPerson, ownPerson } from './people/own-person.ts'
export { type ExportRow, listExports } from './operation/exports.ts'
export { formatTailCursor, parseTailCursor, type TailCursor } from './tail/tail-cursor.ts'
export { MAX_TAIL_BEFORE, TAIL_DATASETS, type TailRow, tailRows } from './tail/tail-rows.ts'
