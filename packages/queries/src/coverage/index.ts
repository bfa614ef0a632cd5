export { type CoverageRow, type CoverageShare, type PageCoverage, pageCoverage } from './page-coverage.ts'
export { type SdkWeight, sdkWeight, unusedIntegrations } from './sdk-weight.ts'
export { SDK_WEIGHTS } from './sdk-weights.ts'
