import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { answerSuggestions } from '../../../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return answerSuggestions(args, await projectGrant(args, 'event:read'))
}
