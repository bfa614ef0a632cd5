import { projectKeys, routeVitals, VITAL_NAMES, VITAL_THRESHOLDS } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { isNarrowed, readEventFilter } from '../../../../issue/event-filter.ts'
import { performanceWindow } from '../../../../performance/performance-window.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { projectScope } from '../../../../server/page-scope.ts'

const ROUTES = 200

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const scope = await projectScope(args, 'event:read')
  const { searchParams } = args.url
  const window = performanceWindow(searchParams, clock.nowMs())
  const rows = await routeVitals(queries, scope, { ...window, limit: ROUTES })
  const keys = rows.length === 0 ? await projectKeys(queries, scope) : []
  return {
    rows,
    names: VITAL_NAMES,
    thresholds: VITAL_THRESHOLDS,
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isNarrowed(readEventFilter(searchParams)),
  }
}
