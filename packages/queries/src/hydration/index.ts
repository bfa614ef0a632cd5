export { type BenignCount, benignCounts, type HydrationRoute, hydrationRoutes } from './hydration-pages.ts'
export type { RankedIssue } from './hydration-issues.ts'
export { type HydrationRank, hydrationRanks } from './hydration-ranks.ts'
