import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { answerSuggestions } from '../../../../parts/issue-list/load-list.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  return answerSuggestions(args, await orgGrant(args, 'event:read'))
}
