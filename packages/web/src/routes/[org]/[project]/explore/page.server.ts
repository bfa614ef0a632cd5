import type { LoadArgs } from '@sonde/router/server'
import { loadExplore } from '../../../../explore/load-explore.server.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

export const load = async (args: LoadArgs<AppContext, 'org' | 'project'>) =>
  loadExplore(args, await projectScope(args, 'event:read'))
