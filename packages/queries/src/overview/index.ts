/** What the first screen of a project asks: each question is bounded, and answered by itself. */
export { type FreshIssue, type FreshIssues, freshIssuesOf, freshIssuesSince } from './fresh-issues.ts'
export { type MovedVital, type MovedVitals, movedVitals } from './moved-vitals.ts'
export { type NavigationHealth, navigationHealth, type NavigationShare } from './navigation-health.ts'
export { newestRelease, type NewestRelease } from './newest-release.ts'
export { type ToldSince, toldSince } from './told-since.ts'
