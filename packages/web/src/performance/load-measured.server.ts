/**
 * What the tables of performance have in common: a project, what its address narrows to, and the code that
 * would measure when nothing was.
 */
import type { ProjectScope } from '@sonde/access'
import { type FilterSource, type PerformanceFilter, projectKeys, type QueryDeps } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../server/app-context.ts'
import { projectScope } from '../server/page-scope.ts'
import { filterChoices, isFiltered, performanceFilterOf } from './filter-of.server.ts'

const ROWS = 200

type Ask<Row> = (
  queries: QueryDeps,
  scope: ProjectScope,
  input: PerformanceFilter & { readonly limit: number },
) => Promise<readonly Row[]>

/** `dsn`: for the code that would measure, only where there is nothing to show. `choices`: for the filter bar. */
export async function loadMeasured<Row>(
  args: LoadArgs<AppContext, 'org' | 'project'>,
  source: FilterSource,
  ask: Ask<Row>,
) {
  const { queries, clock } = args.context
  const scope = await projectScope(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const [rows, choices] = await Promise.all([
    ask(queries, scope, { ...performanceFilterOf(params, nowMs), limit: ROWS }),
    filterChoices(queries, scope, { params, nowMs, source }),
  ])
  const keys = rows.length === 0 ? await projectKeys(queries, scope) : []
  return { rows, choices, dsn: keys.find((key) => key.isActive)?.dsn, isNarrowed: isFiltered(params) }
}
