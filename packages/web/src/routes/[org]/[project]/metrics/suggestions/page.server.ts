import { METRIC_SUGGESTIONS } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { answerSpanSuggestions } from '../../../../../parts/explore/load-explore.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export const load = async (args: LoadArgs<AppContext, 'org' | 'project'>) =>
  answerSpanSuggestions(args, await projectGrant(args, 'event:read'), METRIC_SUGGESTIONS)
