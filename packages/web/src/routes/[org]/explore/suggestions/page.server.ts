import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { answerSpanSuggestions } from '../../../../parts/explore/load-explore.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export const load = async (args: LoadArgs<AppContext, 'org'>) =>
  answerSpanSuggestions(args, await orgGrant(args, 'event:read'))
