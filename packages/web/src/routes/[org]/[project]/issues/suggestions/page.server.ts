import type { LoadArgs } from '@sonde/router/server'
import { answerSuggestions } from '../../../../../parts/issue-list/suggestions.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { projectScope } from '../../../../../parts/access/page-scope.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return answerSuggestions(args, await projectScope(args, 'event:read'))
}
