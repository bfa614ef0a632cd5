/** The questions about web vitals, for the package's face. */
export {
  COMPARED_VITALS,
  type IssueVital,
  type IssueVitals,
  issueVitals,
  type IssueVitalsInput,
} from './issue-vitals.ts'
export {
  type RouteVitals,
  routeVitals,
  type RouteVitalsInput,
  VITAL_NAMES,
  VITAL_THRESHOLDS,
  type VitalName,
} from './route-vitals.ts'
export {
  BREAKDOWN_COLUMNS,
  type BreakdownColumn,
  type BreakdownRow,
  type VitalBreakdown,
  vitalBreakdown,
} from './vital-breakdown.ts'
export { type VitalCauses, vitalCauses, type VitalElement } from './vital-causes.ts'
export type { VitalSource } from './vital-sources.ts'
export type { SourcePlace, Unreadable } from '../scripts/source-place.ts'
export { vitalChanges } from './vital-changes.ts'
export type { VitalChange } from './vital-sides.ts'
export type { VitalInput } from './vital-conditions.ts'
export { VITAL_BINS, type VitalHistogram, vitalHistogram } from './vital-histogram.ts'
export { type VitalOverviewInput, type VitalOverviewRow, vitalOverview } from './vital-overview.ts'
export { VITAL_PARTS, type VitalPart, type VitalParts, vitalParts } from './vital-parts.ts'
export {
  SAMPLE_SETS,
  type SampleSet,
  type VitalSample,
  vitalSamples,
  type VitalSamplesInput,
} from './vital-samples.ts'
export type { VitalSummary } from './vital-summary.ts'
export { type VitalTrend, vitalTrend, type VitalTrendInput, type VitalTrendPoint } from './vital-trend.ts'
