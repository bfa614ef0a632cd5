export { type BenignCount, benignCounts, type HydrationRoute, hydrationRoutes } from './hydration-pages.ts'
export type { RankedIssue } from './hydration-issues.ts'
export { hydrationRanks } from './hydration-ranks.ts'
export type { HydrationRank } from './hydration-sql.ts'
