/**
 * What the tables of performance have in common: a project, the time and environments of the address, and the code that
 * would measure when nothing was.
 */
import type { ProjectScope } from '@sonde/access'
import { projectKeys, type QueryDeps } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { isNarrowed, readEventFilter } from '../issue/event-filter.ts'
import type { AppContext } from '../server/app-context.ts'
import { projectScope } from '../server/page-scope.ts'
import { performanceWindow, type PerformanceWindow } from './performance-window.ts'

const ROWS = 200

type Ask<Row> = (
  queries: QueryDeps,
  scope: ProjectScope,
  input: PerformanceWindow & { readonly limit: number },
) => Promise<readonly Row[]>

/** `dsn`: for the code that would measure, only where there is nothing to show. */
export async function loadMeasured<Row>(args: LoadArgs<AppContext, 'org' | 'project'>, ask: Ask<Row>) {
  const { queries, clock } = args.context
  const scope = await projectScope(args, 'event:read')
  const { searchParams } = args.url
  const rows = await ask(queries, scope, { ...performanceWindow(searchParams, clock.nowMs()), limit: ROWS })
  const keys = rows.length === 0 ? await projectKeys(queries, scope) : []
  return {
    rows,
    dsn: keys.find((key) => key.isActive)?.dsn,
    isNarrowed: isNarrowed(readEventFilter(searchParams)),
  }
}
