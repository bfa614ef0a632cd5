import type { LoadArgs } from '@sonde/router/server'
import { answerSuggestions } from '../../../../parts/issue-list/suggestions.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { orgScope } from '../../../../parts/access/page-scope.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  return answerSuggestions(args, await orgScope(args, 'event:read'))
}
