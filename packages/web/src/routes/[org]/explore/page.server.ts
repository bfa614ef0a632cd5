import type { LoadArgs } from '@sonde/router/server'
import { loadExplore } from '../../../parts/explore/load-explore.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { orgScope } from '../../../parts/access/page-scope.server.ts'

export const load = async (args: LoadArgs<AppContext, 'org'>) =>
  loadExplore(args, await orgScope(args, 'event:read'))
