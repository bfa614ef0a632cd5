/** The releases of a project with their adoption in the selected period. */
import { projectReleases, releaseAdoption, releasesHealth } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { performanceFilterOf } from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { PAGE_ROWS, readReleaseSearch } from './release-search.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock, publicUrl } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const { query, order, withArchived, page } = readReleaseSearch(params)
  const { rows, ...listed } = await projectReleases(queries, grant, {
    query,
    order,
    withArchived,
    page,
    limit: PAGE_ROWS,
  })
  const { fromMs, toMs, environment } = performanceFilterOf(params, clock.nowMs())
  const listedIn = {
    fromMs,
    toMs,
    ...(environment && { environment }),
    releases: rows.map(({ version }) => version),
  }
  const [used, health] = await Promise.all([
    releaseAdoption(queries, grant, listedIn),
    releasesHealth(queries, grant, listedIn),
  ])
  const healthOf = new Map(health.releases.map((row) => [row.release, row]))
  const useOf = new Map(used.releases.map((row) => [row.release, row]))
  return {
    ...listed,
    rows: rows.map((row) => ({
      ...row,
      use: useOf.get(row.version),
      health: healthOf.get(row.version),
    })),
    hasSessions: health.total !== undefined,
    basis: used.basis,
    use: used.total,
    place: { url: publicUrl, org: args.params.org, project: args.params.project },
  }
}
