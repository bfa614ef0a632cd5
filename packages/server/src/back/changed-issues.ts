/** What the live lists are told of a change: of whatever made it, only this. */
import type { Topics } from '@sonde/base'

export const changedIssues = ({ projects, issues, created, regressed }: Topics['issues.changed']) => ({
  projects,
  issues,
  created,
  regressed,
})
