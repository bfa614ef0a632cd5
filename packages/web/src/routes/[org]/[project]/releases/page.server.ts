/** The releases of a project with their adoption in the selected period. */
import type { Grant } from '@sonde/access'
import {
  type ProjectRelease,
  projectReleases,
  type QueryDeps,
  releaseAdoption,
  releasesHealth,
  releaseVerdict,
  verdictWindow,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { performanceFilterOf } from '../../../../parts/filter-bar/filter-of.server.ts'
import { verdictView } from '../../../../parts/releases/verdict-view.ts'
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
  const [used, health, verdicts] = await Promise.all([
    releaseAdoption(queries, grant, listedIn),
    releasesHealth(queries, grant, listedIn),
    page === 1 && query === '' ? verdictsOf(queries, grant, rows, { environment, nowMs: clock.nowMs() }) : [],
  ])
  const healthOf = new Map(health.releases.map((row) => [row.release, row]))
  const useOf = new Map(used.releases.map((row) => [row.release, row]))
  return {
    ...listed,
    rows: rows.map((row) => ({
      ...row,
      use: useOf.get(row.version),
      health: healthOf.get(row.version),
      verdict: verdicts.find(({ release }) => release === row.version),
    })),
    hasSessions: health.total !== undefined,
    basis: used.basis,
    use: used.total,
    place: { url: publicUrl, org: args.params.org, project: args.params.project },
  }
}

/** Each is a handful of questions over four weeks: the list has the verdicts of the newest, the others have theirs on their page. */
const JUDGED = 3

async function verdictsOf(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  rows: readonly ProjectRelease[],
  { environment, nowMs }: { readonly environment: readonly string[] | undefined; readonly nowMs: number },
) {
  const newest = rows.toSorted((a, b) => b.firstSeenMs - a.firstSeenMs).slice(0, JUDGED)
  return Promise.all(
    newest.map(async ({ version: release, firstEventMs, firstSeenMs }) => {
      const window = verdictWindow(firstEventMs ?? firstSeenMs, nowMs)
      const judged = await releaseVerdict(queries, grant, { ...window, release, environment })
      const { verdict, before, sentence, next } = verdictView(judged)
      const about = [sentence, next].filter(Boolean).join(' ')
      return { release, verdict: before === undefined ? undefined : verdict, about }
    }),
  )
}
