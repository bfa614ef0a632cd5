export { type CoverageRow, type CoverageShare, type PageCoverage, pageCoverage } from './page-coverage.ts'
