import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../../../../server/app-context.ts'
import { changeIssue } from '../../../../../../../issue/change-issue.server.ts'
import { loadIssuePage } from '../../../../../../../server/load-issue-page.ts'

export function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue' | 'event'>) {
  return loadIssuePage(args, args.params.event)
}

export const action = changeIssue
