import type { LoadArgs } from '@sonde/router/server'
import { answerSpanSuggestions } from '../../../../../parts/explore/load-explore.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { projectScope } from '../../../../../parts/access/page-scope.server.ts'

export const load = async (args: LoadArgs<AppContext, 'org' | 'project'>) =>
  answerSpanSuggestions(args, await projectScope(args, 'event:read'))
