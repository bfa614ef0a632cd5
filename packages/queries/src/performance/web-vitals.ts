/** The questions about web vitals, for the package's face. */
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
export { type VitalCauses, vitalCauses, type VitalElement } from './vital-causes.ts'
export type { VitalSource } from './vital-sources.ts'
export type { SourcePlace, Unreadable } from '../scripts/source-place.ts'
export { vitalChanges } from './vital-changes.ts'
export type { VitalChange } from './vital-sides.ts'
export type { VitalInput } from './vital-conditions.ts'
export { VITAL_BINS, type VitalHistogram, vitalHistogram } from './vital-histogram.ts'
export { type VitalOverviewInput, type VitalOverviewRow, vitalOverview } from './vital-overview.ts'
export { type VitalPart, type VitalParts, vitalParts } from './vital-parts.ts'
export { type SampleSet, type VitalSample, vitalSamples, type VitalSamplesInput } from './vital-samples.ts'
export type { VitalSummary } from './vital-summary.ts'
export { type VitalTrend, vitalTrend, type VitalTrendInput, type VitalTrendPoint } from './vital-trend.ts'
