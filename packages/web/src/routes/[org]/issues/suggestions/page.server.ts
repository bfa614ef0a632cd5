import type { LoadArgs } from '@sonde/router/server'
import { answerSuggestions } from '../../../../issues/suggestions.server.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { orgScope } from '../../../../server/page-scope.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  return answerSuggestions(args, await orgScope(args, 'event:read'))
}
