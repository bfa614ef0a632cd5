import { projectKeys, routeTransactions, TRANSACTION_SORTS } from '@sonde/queries'
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
  const sort = TRANSACTION_SORTS.find((each) => each === searchParams.get('sort')) ?? 'count'
  const rows = await routeTransactions(queries, scope, { ...window, sort, limit: ROUTES })
  const keys = rows.length === 0 ? await projectKeys(queries, scope) : []
  return {
    rows,
    sort,
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isNarrowed(readEventFilter(searchParams)),
  }
}
