/** The services of an organization with what asks what, and where each stands in the picture. */
import { ExploreError, serviceMap } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant } from '../../../parts/access/page-grant.server.ts'
import { filterChoices, isFiltered, performanceFilterOf } from '../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { layOutMap } from './lay-out-map.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const { queries, clock } = args.context
  const grant = await orgGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const choices = await filterChoices(queries, grant, { params, nowMs, source: 'spans' })
  const common = { choices, isNarrowed: isFiltered(params) }
  try {
    const map = await serviceMap(queries, grant, performanceFilterOf(params, nowMs))
    return { ...common, map, picture: layOutMap(map), refusal: undefined }
  } catch (error) {
    if (!(error instanceof ExploreError)) throw error
    const refusal = { message: error.message, hint: error.hint ?? '' }
    return { ...common, map: undefined, picture: undefined, refusal }
  }
}
