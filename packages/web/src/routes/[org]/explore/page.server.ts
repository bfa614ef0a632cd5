import type { LoadArgs } from '@sonde/router/server'
import { loadExplore } from '../../../explore/load-explore.server.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { orgScope } from '../../../server/page-scope.ts'

export const load = async (args: LoadArgs<AppContext, 'org'>) =>
  loadExplore(args, await orgScope(args, 'event:read'))
