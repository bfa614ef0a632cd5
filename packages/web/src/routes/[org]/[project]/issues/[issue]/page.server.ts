import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { changeIssue } from './change-issue.server.ts'
import { loadIssuePage } from './load-issue-page.server.ts'

export function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>) {
  return loadIssuePage(args, 'latest')
}

export const action = changeIssue
