export * from './contract.ts'
export {
  type AccountOwner,
  type AccountSession,
  accountSessions,
  type PersonalToken,
  personalTokens,
} from './account.ts'
export { type Cursor, offsetOf, offsetPage, type Page, pageLimit, parseCursor } from './cursor.ts'
export {
  type ArtifactState,
  artifactStates,
  type DebugIdState,
  MAX_ASKED_IDS,
} from './artifacts/artifact-states.ts'
export { type OpenRepair, openRepair, type RepairedEvent } from './artifacts/open-repair.ts'
export {
  type UnreadableEvents,
  unreadableEvents,
  type UnreadableGroup,
} from './artifacts/unreadable-events.ts'
export { type ReleaseFile, releaseFiles, type ReleaseFilesInput } from './artifacts/release-files.ts'
export { type UploadFile, uploadFiles, type UploadFilesInput } from './artifacts/upload-files.ts'
export { FILES_SEARCHED_IN } from './artifacts/upload-search.ts'
export { findUpload, type Upload, uploads, type UploadsInput } from './artifacts/uploads.ts'
export { actorNames } from './artifacts/actor-names.ts'
export { type RecentRepair, recentRepairs } from './artifacts/recent-repairs.ts'
export { attachmentAnswer, type AttachmentUse, downloadName } from './events/attachment-answer.ts'
export {
  type Attachment,
  eventAttachments,
  findAttachment,
  type OpenAttachment,
  openAttachment,
} from './events/event-attachments.ts'
export {
  EVENT_CHOICES,
  type EventChoice,
  type EventDetail,
  eventById,
  issueEvent,
} from './events/event-by-id.ts'
export { projectOfEvent } from './events/project-of-event.ts'
export { type EventNeighbours } from './events/event-neighbours.ts'
export type { EventRow } from './events/event-row.ts'
export { issueEvents, type ListEventsInput, projectEvents } from './events/list-events.ts'
export { type EventNarrowing, narrowedEventId, narrowedNeighbours } from './events/narrowed-event.ts'
export type { BarPeriod, EventBars } from './issues/event-bars.ts'
export { findIssue, namesIssue } from './issues/find-issue.ts'
export { type GroupingReason, groupingReason } from './issues/grouping-reason.ts'
export { type IssueDetail, issueDetail } from './issues/issue-detail.ts'
export { type ListIssuesInput } from './issues/issue-request.ts'
export type { IssueRow, ProjectRef } from './issues/issue-row.ts'
export { type IssueTagValues, issueTagValues, type IssueTagValuesInput } from './issues/issue-tag-values.ts'
export { issueTags, type IssueTagsInput, type TagSummary, type TagValue } from './issues/issue-tags.ts'
export { type IssueListRow, type IssuePage, listIssues } from './issues/list-issues.ts'
export { matchingIssueIds, MAX_MATCHING } from './issues/matching-issue-ids.ts'
export { listOrganizations, type OrganizationRow } from './list-organizations.ts'
export { listProjects, type ProjectRow } from './list-projects.ts'
export { allowsEndlessTokens } from './people/endless-tokens.ts'
export { listMembers, type MemberRow } from './people/list-members.ts'
export { listAllTokens, listTokens, type TokenOfOrgRow } from './people/list-tokens.ts'
export { listPeople, type PersonRow } from './people/list-people.ts'
export { installationOutcomes, type OutcomeCount } from './outcome-counts.ts'
export type {
  DiskUsage,
  OperatorDeadContent,
  OperatorDeadLetter,
  OperatorPart,
  OperatorProcess,
  OperatorStatus,
  OperatorStatusInput,
} from './operation/operator-status.ts'
export {
  installationOutcomeSeries,
  type OutcomeLine,
  type OutcomeSeries,
} from './operation/outcome-series.ts'
export {
  FILTER_SOURCES,
  type FilterSource,
  type FilterValue,
  filterValues,
  type FilterValuesInput,
} from './performance/filter-values.ts'
export {
  FILTER_COLUMNS,
  type FilterColumn,
  filterColumns,
  type PerformanceFilter,
} from './performance/performance-filter.ts'
export {
  type NavigationBreakdown,
  navigationBreakdown,
  type NavigationPart,
} from './performance/navigation-breakdown.ts'
export { type Build, buildsInUse } from './performance/navigation-builds.ts'
export { type RouteCache, routeCaches } from './performance/navigation-cache.ts'
export type { ChunkFile } from './scripts/chunk-sources.ts'
export { type ChunkFailures, chunkFailures, replacementOf } from './performance/navigation-chunks.ts'
export { type FullLoads, fullLoads } from './performance/navigation-full-loads.ts'
export { navigationPart } from './performance/navigation-part.ts'
export { type HungNavigations, hungNavigations } from './performance/navigation-hung.ts'
export { type PageDataFailures, pageDataFailures } from './performance/navigation-page-data.ts'
export {
  type NavigationPoint,
  type NavigationSummary,
  navigationSummary,
  type NavigationTotals,
} from './performance/navigation-summary.ts'
export { issuesOfTraces, type TraceIssue } from './performance/issues-of-traces.ts'
export type { MeanPhases } from './performance/mean-phases.ts'
export { type RoutePrefetch, routePrefetches } from './performance/prefetch-routes.ts'
export {
  type NavigationDetail,
  navigationOf,
  type NavigationRef,
  slowestNavigations,
  type SlowestNavigationsInput,
} from './performance/navigation-detail.ts'
export type { NavigationFilter } from './performance/navigation-filter.ts'
export {
  type RouteNavigationsInput,
  routeNavigations,
  type RoutePair,
} from './performance/route-navigations.ts'
export {
  type RouteTransaction,
  type RouteTransactionPage,
  type RouteTransactionsInput,
  transactionPage,
} from './performance/route-transactions.ts'
export { certainChange, type Change, verdictOf } from './performance/change-interval.ts'
export {
  type MeasureChange,
  type TransactionChange,
  transactionChanges,
  type TransactionChangesInput,
} from './performance/transaction-changes.ts'
export { transactionBreakdown, type TransactionSplit } from './performance/transaction-breakdown.ts'
export { transactionIssues, type TransactionIssue } from './performance/transaction-issues.ts'
export { COMPARED, type Compared } from './performance/transaction-measures.ts'
export { type TransactionOp, transactionOps } from './performance/transaction-ops.ts'
export {
  type TransactionPoint,
  type TransactionSeries,
  transactionSeries,
  type TransactionSeriesInput,
} from './performance/transaction-series.ts'
export type { TimeShare } from './performance/time-shares.ts'
export { type TransactionTime, transactionTime } from './performance/transaction-time.ts'
export { MAX_COMPARED, type TransactionRef } from './performance/transaction-windows.ts'
export { slowestTransactions, type TransactionSample } from './performance/transaction-traces.ts'
export * from './performance/web-vitals.ts'
export { spanDetail, type SpanDetail } from './performance/span-detail.ts'
export { type UsualDuration, usualDuration } from './performance/span-usual.ts'
export { type Trace, traceById, type TraceProject, type TraceSpan } from './performance/trace.ts'
export type { TraceError } from './performance/trace-errors.ts'
export { findSpans, type FoundSpans } from './performance/trace-find.ts'
export {
  type TraceNavigation,
  traceNavigations,
  type TraceVital,
  traceVitals,
} from './performance/trace-marks.ts'
export { type TraceNeighbours, traceNeighbours } from './performance/trace-neighbours.ts'
export {
  type OutlineSegment,
  type OutlineSpan,
  type TraceOutline,
  traceOutline,
} from './performance/trace-outline.ts'
export { dsnFor, projectDsns, type ProjectKeyRow, projectKeys } from './project-keys.ts'
export { type ProjectTrend, projectTrends } from './project-trends.ts'
export { type RecentIssue, recentIssues } from './issues/recent-issues.ts'
export { type ProjectOverview, projectOverviews } from './project-overview.ts'
export { type SamplingPreview, samplingPreview } from './performance/sampling-preview.ts'
export { projectNewcomers, type ProjectNewcomers } from './project-newcomers.ts'
export { type DoorRefusals, type ProjectRefusals, projectRefusals } from './project-refusals.ts'
export { projectSpanUsage, sampledByRule, type SpanUsage } from './span-usage.ts'
export {
  type KeyUsage,
  projectKeyUsage,
  projectSettings,
  type ProjectSettingsView,
  type RateLimit,
} from './project-settings.ts'
export type { QueryDeps } from './query-deps.ts'
export { projectRelease, type ReleaseDetail } from './releases/project-release.ts'
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
} from './releases/release-issues.ts'
export {
  type DifferentIssue,
  type ErrorRate,
  type ReleaseDifferences,
  releaseDifferences,
  type ReleaseDifferencesInput,
} from './releases/release-differences.ts'
export { MAX_ORDERED, type OrderedRelease, orderedReleases } from './releases/release-order.ts'
export {
  type SuspectCommit,
  suspectCommits,
  type SuspectCommits,
  type SuspectInput,
} from './releases/suspect-commits.ts'
export { type CommitAuthor, type CommitRow, commitsOfRelease } from './releases/public/commits-of-release.ts'
export { type DeployRow, deploysOfRelease } from './releases/public/deploys.ts'
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
} from './releases/public/release-by-version.ts'
export type { ReleaseProject, ReleaseRow } from './releases/public/release-rows.ts'
export {
  type AdoptionBasis,
  type AdoptionCounts,
  type AdoptionFilter,
  MAX_ADOPTION_RELEASES,
  type ReleaseAdoption,
  releaseAdoption,
} from './releases/release-adoption.ts'
export {
  type AdoptionSeries,
  adoptionSeries,
  type AdoptionSeriesInput,
} from './releases/release-adoption-series.ts'
export {
  type NavigationFailures,
  type ReleaseNavigations,
  releaseNavigations,
  type ReleasePair,
  releaseVitalChanges,
} from './releases/release-speed.ts'
export { parsePeriodMs } from './search/search-time.ts'
export { parseSearch } from './search/parse-search.ts'
export { SearchError } from './search/search-error.ts'
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
export { deployMarkers, type DeployWindow } from './series/deploy-markers.ts'
export { MAX_MARKERS, type ReleaseMarker, withDeploys } from './series/marked-releases.ts'
export { type SimilarIssue, similarIssues } from './similar/similar-issues.ts'
export type { KeyKind, KnownKey } from './suggest/known-keys.ts'
export {
  type SearchSuggestion,
  searchSuggestions,
  type SearchSuggestions,
} from './suggest/search-suggestions.ts'
export { keyText, valueText } from './suggest/search-text.ts'
export { type SuggestedKey, suggestKeys, type TagKey, tagKeys } from './suggest/suggest-keys.ts'
export { type SuggestedValue, suggestValues } from './suggest/suggest-values.ts'
export type { SuggestWithin } from './suggest/suggest-within.ts'
export { MAX_SQL_CHARS, runSql, type SqlInput } from './sql/run-sql.ts'
export { SQL_EXAMPLES, type SqlExample } from './sql/sql-examples.ts'
export { SqlRefused } from './sql/sql-refused.ts'
export { SQL_TABLES, type SqlColumn, type SqlTable } from './sql/sql-tables.ts'
export { ExploreError } from './explore/explore-error.ts'
export { type ExploreSeries, exploreSeries, type ExploreSeriesInput } from './explore/explore-series.ts'
export {
  type ExploreColumn,
  type ExploreInput,
  exploreSpans,
  type ExploreTable,
  type ExploreValue,
} from './explore/explore-spans.ts'
export { isMeasure, type ValueKind } from './explore/span-measures.ts'
export { type SpanKey, spanKeys, spanSuggestions } from './explore/span-suggestions.ts'
export { isSqlConsoleOn } from './sql/sql-console-state.ts'
