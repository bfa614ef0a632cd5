/** App starts, frames and time to display of a mobile app, by release and by screen. */
import { ExploreError, mobileVitals, projectKeys } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const filter = performanceFilterOf(params, nowMs)
  const choices = await filterChoices(queries, grant, { params, nowMs, source: 'transactions' })
  const common = { choices, isNarrowed: isFiltered(params) }
  try {
    const [releases, screens] = await Promise.all([
      mobileVitals(queries, grant, filter, 'release'),
      mobileVitals(queries, grant, filter, 'screen'),
    ])
    const keys = screens.length === 0 ? await projectKeys(queries, grant) : []
    const dsn = keys.find((key) => key.isActive)?.dsn
    return { ...common, releases, screens, dsn, refusal: undefined }
  } catch (error) {
    if (!(error instanceof ExploreError)) throw error
    const refusal = { message: error.message, hint: error.hint ?? '' }
    return { ...common, releases: [], screens: [], dsn: undefined, refusal }
  }
}
