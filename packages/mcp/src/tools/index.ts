/** All tools, in the order in which clients list them. docs/mcp.md has them as a table. */
import type { Tool } from '../tool.ts'
import { addCommentTool } from './add-comment.ts'
import { explainGrouping } from './explain-grouping.ts'
import { findIssues } from './find-issues.ts'
import { getEvent } from './get-event.ts'
import { getIssue } from './get-issue.ts'
import { getReleaseVerdict } from './get-release-verdict.ts'
import { getSuspectCommits } from './get-suspect-commits.ts'
import { getTrace } from './get-trace.ts'
import { listFailedNavigations } from './list-failed-navigations.ts'
import { listProjectsTool } from './list-projects.ts'
import { listVitals } from './list-vitals.ts'
import { runSqlTool } from './run-sql.ts'
import { updateIssue } from './update-issue.ts'

export const TOOLS: readonly Tool[] = [
  listProjectsTool,
  findIssues,
  getIssue,
  getEvent,
  explainGrouping,
  getSuspectCommits,
  getTrace,
  listVitals,
  listFailedNavigations,
  getReleaseVerdict,
  runSqlTool,
  updateIssue,
  addCommentTool,
]
