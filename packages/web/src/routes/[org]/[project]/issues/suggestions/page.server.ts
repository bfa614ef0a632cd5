import type { LoadArgs } from '@sonde/router/server'
import { answerSuggestions } from '../../../../../issues/suggestions.server.ts'
import type { AppContext } from '../../../../../server/app-context.ts'
import { projectScope } from '../../../../../server/page-scope.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return answerSuggestions(args, await projectScope(args, 'event:read'))
}
