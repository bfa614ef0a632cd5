import { projectKeys, routeNavigations } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { isNarrowed, readEventFilter } from '../../../../issue/event-filter.ts'
import { performanceWindow } from '../../../../performance/performance-window.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

const PAIRS = 200

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const scope = await projectScope(args, 'event:read')
  const { searchParams } = args.url
  const window = performanceWindow(searchParams, clock.nowMs())
  const pairs = await routeNavigations(queries, scope, { ...window, limit: PAIRS })
  const keys = pairs.length === 0 ? await projectKeys(queries, scope) : []
  return {
    pairs,
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isNarrowed(readEventFilter(searchParams)),
  }
}
