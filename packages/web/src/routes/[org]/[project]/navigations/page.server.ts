import { routeNavigations } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { loadMeasured } from '../../../../performance/load-measured.server.ts'
import type { AppContext } from '../../../../server/app-context.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  return loadMeasured(args, 'navigations', routeNavigations)
}
