export {
  FILTER_SOURCES,
  type FilterSource,
  type FilterValue,
  filterValues,
  type FilterValuesInput,
} from './performance-filter.ts'
export {
  FILTER_COLUMNS,
  type FilterColumn,
  filterColumns,
  type PerformanceFilter,
} from './performance-filter.ts'
export { type NavigationBreakdown, navigationBreakdown, type NavigationPart } from './navigation-breakdown.ts'
export type { Build } from '../deployments/build.ts'
export { buildsInUse } from '../deployments/builds-in-use.ts'
export { type OpenTabs, openTabs, type TabSource } from '../deployments/open-tabs.ts'
export { type DeployedBuild, type Deployments, deployments } from '../deployments/deployments.ts'
export { type KeepFiles, oldTabs, type OldTabs } from '../deployments/old-tabs.ts'
export { type ChunkOutcomes, chunkOutcomes, type TabOutcome } from '../deployments/chunk-outcomes.ts'
export { type RouteCache, routeCaches } from './prefetch-routes.ts'
export type { FileRelease } from '../deployments/file-releases.ts'
export { type ChunkFailures, chunkFailures, replacementOf } from './navigation-chunks.ts'
export { type FullLoads, fullLoads } from './navigation-stuck.ts'
export { navigationPart } from './navigation-filter.ts'
export {
  pageBefore,
  type StockNavigations,
  stockNavigations,
  type StockRequest,
  type StockTarget,
} from './stock-navigations.ts'
export { type HungNavigations, hungNavigations } from './navigation-stuck.ts'
export { type PageDataFailures, pageDataFailures } from './navigation-page-data.ts'
export {
  type NavigationPoint,
  type NavigationSummary,
  navigationSummary,
  type NavigationTotals,
} from './navigation-summary.ts'
export { issuesOfTraces, type TraceIssue } from './issues-of-traces.ts'
export type { MeanPhases } from './navigation-breakdown.ts'
export type { Waste } from './prefetch-waste.ts'
export { type OriginPrefetches, originPrefetches } from './prefetch-origin.ts'
export { type RoutePrefetch, routePrefetches, speculatedLoads } from './prefetch-routes.ts'
export {
  type NavigationDetail,
  navigationOf,
  type NavigationRef,
  type NavigationVital,
  slowestNavigations,
  type SlowestNavigationsInput,
  vitalsOfNavigation,
} from './navigation-detail.ts'
export type { NavigationFilter } from './navigation-filter.ts'
export { type RouteNavigationsInput, routeNavigations, type RoutePair } from './route-navigations.ts'
export {
  type RouteTransaction,
  type RouteTransactionPage,
  type RouteTransactionsInput,
  transactionPage,
} from './route-transactions.ts'
export { certainChange, type Change, verdictOf } from './change-interval.ts'
export {
  type MeasureChange,
  type TransactionChange,
  transactionChanges,
  type TransactionChangesInput,
} from './transaction-changes.ts'
export { transactionBreakdown, type TransactionSplit } from './transaction-time.ts'
export { transactionIssues, type TransactionIssue } from './transaction-issues.ts'
export { COMPARED, type Compared } from './transaction-windows.ts'
export { type TransactionOp, transactionOps } from './route-transactions.ts'
export {
  type TransactionPoint,
  type TransactionSeries,
  transactionSeries,
  type TransactionSeriesInput,
} from './transaction-series.ts'
export type { TimeShare } from './time-shares.ts'
export { type TransactionTime, transactionTime } from './transaction-time.ts'
export { MAX_COMPARED, type TransactionRef } from './transaction-windows.ts'
export { slowestTransactions, type TransactionSample } from './transaction-issues.ts'
export { type IssueVital, type IssueVitals, issueVitals, type IssueVitalsInput } from './issue-vitals.ts'
export {
  type RouteVitals,
  routeVitals,
  type RouteVitalsInput,
  VITAL_NAMES,
  type VitalName,
} from './route-vitals.ts'
export {
  type BreakdownColumn,
  type BreakdownRow,
  type VitalBreakdown,
  vitalBreakdown,
} from './vital-breakdown.ts'
export { type VitalCauses, vitalCauses, type VitalElement } from './vital-breakdown.ts'
export type { ReasonKind } from './vital-causes-ranked.ts'
export { type VitalReason, vitalReasons } from './vital-reasons.ts'
export type { Since } from './vital-since.ts'
export type { VitalSource } from './vital-sources.ts'
export { vitalChanges } from './vital-sides.ts'
export type { VitalChange } from './vital-sides.ts'
export type { VitalInput } from './vital-conditions.ts'
export { VITAL_BINS, type VitalHistogram, vitalHistogram } from './route-vitals.ts'
export { type VitalOverviewInput, type VitalOverviewRow, vitalOverview } from './route-vitals.ts'
export { type VitalPart, type VitalParts, vitalParts } from './vital-breakdown.ts'
export { type SampleSet, type VitalSample, vitalSamples, type VitalSamplesInput } from './vital-samples.ts'
export type { VitalSummary } from './vital-conditions.ts'
export { type VitalTrend, vitalTrend, type VitalTrendInput, type VitalTrendPoint } from './vital-trend.ts'
export { spanDetail, type SpanDetail } from './span-detail.ts'
export {
  type IncomingLink,
  incomingLinks,
  type IncomingLinks,
  type LinkedSpan,
  type SpanLink,
} from './span-links.ts'
export { type UsualDuration, usualDuration } from './span-detail.ts'
export { type Trace, traceById, type TraceProject, type TraceSpan } from './trace.ts'
export type { TraceError } from './issues-of-traces.ts'
export { findSpans, type FoundSpans } from './trace-marks.ts'
export { type TraceNavigation, traceNavigations, type TraceVital, traceVitals } from './trace-marks.ts'
export { type TraceNeighbours, traceNeighbours } from './trace.ts'
export { type OutlineSegment, type OutlineSpan, type TraceOutline, traceOutline } from './trace-outline.ts'
export {
  type DetectSpans,
  type PageDataWaits,
  pageDataWaits,
  type SampledSpan,
  type SegmentSample,
  segmentSample,
} from './segment-sample.ts'
export { traceIdOf } from './trace.ts'
export { type SamplingPreview, samplingPreview } from './sampling-preview.ts'
export { projectSpanUsage, sampledByRule, type SpanUsage } from './sampling-preview.ts'
